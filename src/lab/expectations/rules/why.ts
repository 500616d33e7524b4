import type { ObjectField } from '../../../agents/meaning.js'
import * as z from 'zod'
import { readReference } from '../../changes/objectReference.js'
import type { DecidingRule, Why } from '../../../diagnose/why/types.js'
import { matchesText, textMatchSchema, textWords } from '../answers/textMatch.js'
import { stepKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { reference } from '../objects/references.js'
import { oneRequest, tracedActions } from './tracedRequests.js'
import { isWantedRule, resolveWantedRule, wantedRule } from './wantedRule.js'

const schema = z
  .strictObject({
    rule: wantedRule.optional().describe('The rule, or the policy of a chain, that is the reason.'),
    owner: z.string().min(1).optional().describe('The program that wrote this rule, such as Docker or ufw.'),
    object: reference.optional().describe('The object that is the reason: kind/name.'),
    field: z.string().min(1).optional().describe('Its field, such as spec.selector.'),
    because: textMatchSchema.optional().describe('The sentence with the reason.'),
  })
  .refine(
    ({ rule, object, because }) => (rule ?? object ?? because) !== undefined,
    'needs rule, object or because',
  )
  .refine(({ object, field }) => field === undefined || object !== undefined, 'needs object next to field')
  .refine(({ rule, owner }) => owner === undefined || rule !== undefined, 'needs rule next to owner')

/** `why: {rule: DOCKER-USER, object: service/shop}`: why the request fails. */
export const why = stepKind({
  key: 'why',
  description:
    'Why the request fails, as `vethlab why` reports it: predicted from what the kernel has before the request.',
  needs: { why: true },
  actions: tracedActions,
  schema,
  refuse: (_, step) => oneRequest(step),
  resolve: ({ rule, object, ...rest }, resolver) => {
    const read = object === undefined ? undefined : readReference(object)
    if (read !== undefined && 'problem' in read) resolver.within('object').problem(read.problem, read.hint)
    if (read !== undefined && 'selector' in read)
      resolver.within('object').problem(`"${object}" may mean several objects`, 'write kind/name')
    return {
      ...rest,
      words: object,
      object: read !== undefined && 'object' in read ? read.object : undefined,
      rule: rule === undefined ? undefined : resolveWantedRule(rule, resolver.within('rule')),
    }
  },
  describe: ({ rule, owner, words, field, because }) => {
    const expected = [
      ...(rule === undefined ? [] : [`rule ${rule.words}${owner === undefined ? '' : ` of ${owner}`}`]),
      ...(words === undefined ? [] : [field === undefined ? words : `${words} ${field}`]),
      ...(because === undefined ? [] : [textWords(because)]),
    ].join(', ')
    return { name: `why it fails: ${expected}`, expected }
  },
  evaluate: ({ rule, owner, object, field, because }, { why: found }) => {
    if (found === undefined) return { ok: false, observed: 'the request was not predicted' }
    if (found.outcome === 'passes') return { ok: false, observed: 'the request is predicted to pass' }
    const ok =
      (rule === undefined ||
        rulesIn(found).some((one) => isWantedRule(one, rule) && (owner ?? one.owner) === one.owner)) &&
      (object === undefined || objectsIn(found).some((one) => isObject(one, object, field))) &&
      (because === undefined || reasonsIn(found).some((one) => matchesText(because, one)))
    return { ok, observed: whyWords(found) }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})

function rulesIn({ findings }: Why): DecidingRule[] {
  return findings.flatMap(({ rule, causes }) =>
    [rule, ...causes.map((cause) => cause.rule)].flatMap((one) => one ?? []),
  )
}

function objectsIn({ findings }: Why): ObjectField[] {
  return findings.flatMap(({ causes }) => causes.flatMap(({ object }) => object ?? []))
}

function reasonsIn({ findings }: Why): string[] {
  return findings.flatMap(({ end, causes }) => [end.reason, ...causes.map(({ says }) => says)])
}

function isObject(
  one: ObjectField,
  wanted: Pick<ObjectField, 'kind' | 'namespace' | 'name'>,
  field: string | undefined,
): boolean {
  return (
    one.kind === wanted.kind &&
    one.name === wanted.name &&
    (one.namespace ?? 'default') === (wanted.namespace ?? one.namespace ?? 'default') &&
    (field === undefined || one.field === field)
  )
}

/** The ends with their reasons, in one line. */
function whyWords(found: Why): string {
  const words = found.findings.map(({ end, rule, causes }) => {
    const object = causes.flatMap(({ object: one }) =>
      one === undefined ? [] : `${one.kind.toLowerCase()}/${one.name} ${one.field ?? ''}`.trim(),
    )
    return [
      `${end.kind} at ${end.place}: ${end.reason}`,
      ...(rule === undefined ? [] : [`${rule.table} ${rule.chain}: ${rule.spec}`]),
      ...causes.map(({ says }) => says),
      ...object,
    ].join('; ')
  })
  return words.join(' | ')
}
