import type { Resolver } from '../names/resolver.js'

/** The places that one reference or a list of them stands for, with the words they were given in. */
export function resolvePlaces(given: string | string[], resolver: Resolver) {
  const texts = [given].flat()
  const inner = (index: number) => (Array.isArray(given) ? resolver.within(index) : resolver)
  return { texts, places: texts.map((text, index) => inner(index).one(text)) }
}
