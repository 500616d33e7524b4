import type { ObjectField } from '../../agents/meaning.js'
import { predictor } from '../../trace/predict.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { InputError } from '../../errors.js'
import { groupBy } from '../../groupBy.js'
import type { Code } from '../codes/codes.js'
import { question } from '../question.js'
import { whyRequest } from '../why/whyRequest.js'
import { othersText, sameCauses } from '../why/outcome.js'
import { factsOf } from './facts/facts.js'
import type { Misdirection } from './misdirected.js'
import { outcomeOf } from './outcome.js'
import { representatives, type Representative } from './representatives.js'
import type { CheckFinding, CheckResult } from './types.js'

/** Requests of one Service that end alike at one place are explained once; each explanation predicts its fixes. */
const mostExplained = 40

/** What is wrong in a snapshot, without a question: problems before notes, and of these what affects most requests first. */
export function check(snapshot: Snapshot): CheckResult {
  const predict = predictor(snapshot.state)
  const { requests: asked, notices: ofRequests } = representatives(snapshot)
  const unknown: { request: string; why: string }[] = []
  const failing = new Map<string, { readonly byPolicy: boolean; readonly alike: Representative[] }>()
  const misled = new Map<string, { readonly by: Misdirection; readonly affects: string[] }>()
  const passing = new Set<Representative>()
  for (const one of asked) {
    const { from, packet } = question(snapshot, one.written)
    const outcome = outcomeOf(snapshot, one, predict(from, packet))
    if (outcome.kind === 'passes') passing.add(one)
    else if (outcome.kind === 'unknown') unknown.push({ request: one.says, why: outcome.why })
    else if (outcome.kind === 'misled') {
      const { by } = outcome
      const { affects = [] } = misled.get(by.finding.says) ?? {}
      misled.set(by.finding.says, { by, affects: [...affects, one.says] })
    } else {
      const { key, byPolicy } = outcome
      failing.set(key, { byPolicy, alike: [...(failing.get(key)?.alike ?? []), one] })
    }
  }
  // what policies deny can be meant: other failures are explained first
  const groups = [...failing.values()].toSorted((a, b) => Number(a.byPolicy) - Number(b.byPolicy))
  const left = groups.slice(mostExplained).flatMap(({ alike }) => alike).length
  const explained = [
    ...groups.slice(0, mostExplained).flatMap(({ alike }) => explain(snapshot, alike)),
    ...[...misled.values()].map(({ by, affects }): CheckFinding => ({ ...by.finding, affects })),
  ]
  const facts = factsOf(snapshot)
    .map(({ concerns = () => false, ...fact }): CheckFinding => ({
      ...fact,
      affects: asked.flatMap((one) => (concerns(one) && !passing.has(one) ? [one.says] : [])),
    }))
    .filter((fact) => !explained.some((one) => showsFact(one, fact)))
  const findings = merged([...explained, ...facts]).toSorted(
    (a, b) => Number(a.note ?? false) - Number(b.note ?? false) || b.affects.length - a.affects.length,
  )
  const written = new Map(asked.map((one) => [one.says, one.written]))
  const { ignored = [] } = snapshot
  const denying = findings.filter(({ note, code }) => note === true && meantToDeny.has(code))
  const denied = new Set(denying.flatMap(({ affects }) => affects)).size
  const notices = [
    ...snapshot.notices,
    ...ofRequests,
    ...(left === 0
      ? []
      : [`${left} more requests fail: only ${mostExplained} kinds of failures are explained`]),
  ]
  return {
    findings: findings.map((one) => ({ ...one, asks: written.get(one.affects[0] ?? '') })),
    asked: asked.length,
    ...(snapshot.basis === 'attached' && asked.every(({ service }) => service === undefined)
      ? { withoutServices: true }
      : {}),
    ...{ passed: passing.size, denied, unknown, ignored, notices },
  }
}

/** Whether a request that fails has shown a fact already: it has the same fix, or is about the same rules. */
function showsFact(found: CheckFinding, fact: CheckFinding): boolean {
  const commands = new Set(found.fixes.flatMap(({ command = [] }) => command))
  if (fact.fixes.some(({ command }) => command !== undefined && commands.has(command))) return true
  if (found.code === fact.code && isAboutSame(found, fact)) return true
  const areOfRules = /^(rules-|foreign-rule$)/.test(found.code) && fact.code.startsWith('rules-')
  return areOfRules && fact.affects.length > 0 && fact.affects.every((one) => found.affects.includes(one))
}

/** Whether findings with one code are about one object, or about one node if the fact has no object. */
function isAboutSame(found: CheckFinding, { node, object }: CheckFinding): boolean {
  if (object === undefined) return found.node === node
  const { kind, namespace, name } = object
  return found.object?.kind === kind && found.object.namespace === namespace && found.object.name === name
}

/** Findings that say the same are one, and those of one field with one fix. */
function merged(findings: readonly CheckFinding[]): CheckFinding[] {
  return [...groupBy(findings, sameness).values()].flatMap((own) => {
    const [first, ...others] = own
    if (first === undefined) return []
    const also = new Set(others.map(({ says }) => says).filter((says) => says !== first.says))
    const more = also.size === 0 ? '' : ` (and ${also.size} more like it)`
    return [
      {
        ...first,
        says: first.says + more,
        causes: first.causes?.map((one, index, { length }) => (index < length - 1 ? one : one + more)),
        affects: [...new Set(own.flatMap(({ affects }) => affects))],
      },
    ]
  })
}

function sameness({ says, code, object, fixes }: CheckFinding): string {
  const commands = fixes.flatMap(({ command = [] }) => command)
  return object?.field === undefined || commands.length === 0
    ? says
    : [code, object.kind, object.namespace, object.name, object.field, ...commands].join(' ')
}

/** A policy denies what it does not allow: that can be meant, as a policy that names the port of a Service cannot. */
const meantToDeny: ReadonlySet<Code> = new Set<Code>(['denied-by-policy', 'denied-by-cluster-policy'])

/** The causes of requests that end alike, by the first of them. */
function explain(snapshot: Snapshot, alike: readonly Representative[]): CheckFinding[] {
  const [first] = alike
  if (first === undefined) return []
  const affects = alike.map(({ says }) => says)
  try {
    const { findings, complete } = whyRequest(snapshot, first.written)
    return sameCauses(findings.filter(({ end }) => end.kind !== 'answered')).flatMap(
      (same): CheckFinding[] => {
        const [finding] = same
        if (finding === undefined) return []
        const { end, rule, causes, changes, code } = finding
        const decided =
          rule === undefined ? undefined : `${rule.place} ${rule.table} ${rule.chain}: ${rule.spec}`
        const fixes = changes
          .slice(0, 2)
          .map(({ proposal }) => ({ says: proposal.says, command: proposal.command }))
        const node = snapshot.model.topology.nodes.find(({ netns }) => netns === end.place)?.name
        const others = othersText(same, complete)
        const known = causes.filter(({ object }) => !isHidden(snapshot, object))
        const subject = first.service ?? `pods of ${first.node}`
        const says = (
          known.length === 0 ? [`${subject}: ${end.reason}`] : known.map((cause) => cause.says)
        ).map((text) => text + others)
        const foundCode = known[0]?.code ?? code
        return [
          {
            ...(meantToDeny.has(foundCode) && { note: true as const }),
            says: says.join('; '),
            causes: says.length > 1 ? says : undefined,
            object: known.find(({ object }) => object !== undefined)?.object ?? serviceObject(first),
            code: foundCode,
            // what pods of an attached cluster listen on is assumed: the cause says from what
            reason:
              snapshot.basis === 'attached' && end.missing?.kind === 'listener' ? undefined : end.reason,
            ...{ node, rule: decided, decided: rule, affects, fixes },
          },
        ]
      },
    )
  } catch (error) {
    if (error instanceof InputError) return []
    throw error
  }
}

/** Whether a cause is about a field that nothing attached shows. */
function isHidden({ hidden = new Map<string, never>() }: Snapshot, object: ObjectField | undefined): boolean {
  if (object?.field === undefined) return false
  const { kind, namespace = 'default', name } = object
  const field = object.field.replace(/\[\d+\]/g, '[]')
  const fields: readonly string[] = hidden.get(`${kind} ${namespace}/${name}`) ?? []
  // a selector is compared with labels
  const labels = [...hidden].some(
    ([key, own]: [string, readonly string[]]) =>
      key.startsWith(`Pod ${namespace}/`) && own.includes('metadata.labels'),
  )
  return fields.includes(field) || (field === 'spec.selector' && labels)
}

function serviceObject({ service }: Representative) {
  if (service === undefined) return undefined
  const [namespace, name = ''] = service.split('/')
  return { kind: 'Service', namespace, name }
}
