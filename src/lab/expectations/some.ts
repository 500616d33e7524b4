import * as z from 'zod'
import { exchangesOf } from '../steps/exchanges.js'
import { stepKind, type Kind } from './kind.js'
import { lookAtAction } from './look.js'
import { tally } from './pods/tally.js'

/** `some: {servedBy: …}`: at least one request of a repeated step meets these expectations. */
export function someOf(kinds: readonly Kind[]): Kind {
  const shape = Object.fromEntries(
    kinds.map((kind) => [kind.key, kind.schema.optional().describe(kind.description)]),
  )
  const schema = z
    .strictObject(shape)
    .refine((value) => Object.keys(value).length > 0, 'needs an expectation') as z.ZodType<
    Record<string, unknown>
  >
  return stepKind({
    key: 'some',
    description: 'Expectations that at least one request of a repeated step meets, all of them together.',
    needs: mergeNeeds(kinds),
    schema,
    refuse: (given, step) =>
      partsOf(kinds, given).flatMap(({ kind, value }) => kind.refuse(value, step) ?? [])[0],
    resolve: (given, resolver) =>
      partsOf(kinds, given).map(({ kind, value }) => ({
        kind,
        value: kind.resolve(value, resolver.within(kind.key)),
      })),
    describe: (parts) => {
      const wanted = parts.map(({ kind, value }) => kind.describe(value))
      return {
        name: `some request: ${wanted.map(({ name }) => name).join(', ')}`,
        expected: `at least one request: ${wanted.map(({ expected }) => expected).join('; ')}`,
      }
    },
    evaluate: (parts, seen, context) => {
      const evaluated = exchangesOf(seen).map((exchange) => {
        const verdicts = parts.flatMap(
          ({ kind, value }) => kind.evaluateRequest?.(value, exchange, context) ?? [],
        )
        const ok = verdicts.length > 0 && verdicts.every((verdict) => verdict.ok)
        return { ok, observed: verdicts.map(({ observed }) => observed).join('; '), flow: verdicts[0]?.flow }
      })
      const match = evaluated.find(({ ok }) => ok)
      const count = evaluated.filter(({ ok }) => ok).length
      const observed =
        evaluated.length === 0
          ? 'no request was sent'
          : `none of ${evaluated.length} requests: ${tally(evaluated.map(({ observed }) => observed))}`
      return match
        ? { ...match, observed: `${count} of ${evaluated.length} requests: ${match.observed}` }
        : { ok: false, observed }
    },
    look: (_, _seen, context) => lookAtAction(context),
  })
}

function partsOf(kinds: readonly Kind[], given: Record<string, unknown>): { kind: Kind; value: unknown }[] {
  return kinds.flatMap((kind) => (given[kind.key] === undefined ? [] : [{ kind, value: given[kind.key] }]))
}

function mergeNeeds(kinds: readonly Kind[]): Kind['needs'] {
  return Object.assign({}, ...kinds.map(({ needs }) => needs)) as Kind['needs']
}
