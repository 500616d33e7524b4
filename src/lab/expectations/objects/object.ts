import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { findObject, type ObjectRef } from '../../../cluster/changes/findObject.js'
import { InputError } from '../../../errors.js'
import { readReference } from '../../changes/objectReference.js'
import type { Observation } from '../../observation.js'
import { momentActions, stepKind } from '../kind.js'
import { fieldOf, fieldPattern } from './objectField.js'
import { reference } from './references.js'
import { matchesText, quote, textMatchSchema, textWords } from '../answers/textMatch.js'

const schema = z
  .strictObject({
    of: reference.describe('The object: kind/name.'),
    field: z
      .string()
      .regex(
        fieldPattern,
        "is not a field: write it like spec.ports[0].nodePort, metadata.labels['app'] or status.conditions[type=Ready].status",
      )
      .optional()
      .describe(
        "The field, such as spec.ports[0].nodePort, metadata.labels['a/b'] or status.conditions[type=Accepted].reason.",
      ),
    equals: z.unknown().optional().describe('The whole value: a text, a number, a list, …'),
    contains: z.string().min(1).optional().describe('A part of the text.'),
    matches: z.string().min(1).optional().describe('An RE2 regular expression that the text matches.'),
    absent: z.literal(true).optional().describe('The field or the object does not exist.'),
  })
  .refine(
    ({ equals, contains, matches, absent }) =>
      [equals, contains ?? matches, absent].filter((one) => one !== undefined).length === 1,
    'needs equals, contains, matches or absent',
  )
  .refine(({ field, absent }) => field !== undefined || absent === true, 'needs a field')
  .refine(
    ({ matches }) => textMatchSchema.safeParse({ matches }).success,
    'matches is not a regular expression of RE2, which has no lookaround and no backreferences',
  )

/** `object: {of: service/web, field: spec.clusterIP, equals: 10.96.0.10}`: a field of an object after the step. */
export const object = stepKind({
  key: 'object',
  description: 'A field of an object after the step.',
  actions: momentActions,
  schema,
  resolve: (given, resolver) => {
    const read = readReference(given.of)
    if ('problem' in read) resolver.within('of').problem(read.problem, read.hint)
    if ('selector' in read)
      resolver.within('of').problem(`"${given.of}" may mean several objects`, 'write kind/name')
    return { ...given, ref: 'object' in read ? read.object : undefined }
  },
  describe: ({ of, field, ...wanted }) => {
    const name = field === undefined ? of : `${of} ${field}`
    const expected = wantedWords(wanted)
    return { name: `${name}: ${expected}`, expected }
  },
  evaluate: ({ ref, field, equals, absent, contains, matches }, seen) => {
    const value = valueOf(ref, field, seen)
    const observed = value === undefined ? 'no such field' : valueWords(value)
    if (absent === true) return { ok: value === undefined, observed }
    if (value === undefined) return { ok: false, observed }
    if (equals !== undefined)
      return { ok: isDeepStrictEqual(value, equals) || valueText(value) === equals, observed }
    return { ok: matchesText(textMatch({ contains, matches }), valueText(value)), observed }
  },
  look: ({ of }, _seen, { topology }) => ({
    where: topology.nodes[0]?.name ?? '',
    command: `kubectl get ${of} -o yaml`,
  }),
})

interface Wanted {
  readonly equals?: unknown
  readonly contains?: string | undefined
  readonly matches?: string | undefined
  readonly absent?: true | undefined
}

function wantedWords({ equals, absent, ...text }: Wanted): string {
  if (absent === true) return 'absent'
  return equals === undefined ? textWords(textMatch(text)) : valueWords(equals)
}

function textMatch({ contains, matches }: Pick<Wanted, 'contains' | 'matches'>) {
  return {
    ...(contains === undefined ? {} : { contains }),
    ...(matches === undefined ? {} : { matches }),
  }
}

function valueOf(ref: ObjectRef | undefined, field: string | undefined, { cluster }: Observation): unknown {
  if (ref === undefined || cluster === undefined) return undefined
  try {
    return fieldOf(findObject(cluster, ref), field ?? '')
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function valueWords(value: unknown): string {
  return typeof value === 'string' ? quote(value) : valueText(value)
}
