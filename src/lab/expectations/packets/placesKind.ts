import type { Named } from '../../../names/named.js'
import type { Exchange } from '../../steps/exchanges.js'
import type { CheckContext } from '../../types.js'
import { requestKind } from '../kind.js'
import { lookAtPackets } from '../look.js'
import { references } from '../objects/references.js'
import type { Verdict } from '../verdict.js'

/** The kind that evaluates which places, one or a list, a request passed; `way` is `across` or `around`. */
export function placesKind(
  key: string,
  way: string,
  description: string,
  evaluate: (places: readonly (Named | undefined)[], exchange: Exchange, context: CheckContext) => Verdict,
) {
  return requestKind({
    key,
    description,
    needs: { packets: true },
    schema: references,
    resolve: (given, resolver) => {
      const texts = [given].flat()
      const inner = (index: number) => (Array.isArray(given) ? resolver.within(index) : resolver)
      return { words: texts.join(' and '), places: texts.map((text, index) => inner(index).one(text)) }
    },
    describe: ({ words }) => ({ name: `${key} ${words}`, expected: `a path ${way} ${words}` }),
    evaluate: ({ places }, exchange, context) => evaluate(places, exchange, context),
    look: ({ places }, _seen, context) => lookAtPackets(places[0]?.label ?? context.step.from ?? ''),
  })
}
