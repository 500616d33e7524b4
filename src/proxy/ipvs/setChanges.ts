import { listedEntry } from './ipset.js'
import { createOptions, nameInFamily, setNames } from './sets.js'
import type { IpvsState } from './types.js'

/**
 * What `ipset restore` reads to turn the sets that stand into those that are wanted: missing ones are made, surplus
 * entries deleted before missing ones are added. Unlike kube-proxy's own comparison, a source range that is one address
 * is recognised as ipset lists it, and stays.
 */
export function setChanges(
  found: ReadonlyMap<string, ReadonlySet<string>>,
  { family, sets }: Pick<IpvsState, 'family' | 'sets'>,
): string[] {
  return setNames.flatMap((name) => {
    const own = nameInFamily(name, family)
    const known = found.get(own)
    const wanted = new Set(sets[name].map(listedEntry))
    return [
      ...(known === undefined ? [`create ${own} ${createOptions(name, family)}`] : []),
      ...[...(known ?? [])].filter((entry) => !wanted.has(entry)).map((entry) => `del ${own} ${entry}`),
      ...[...wanted].filter((entry) => known?.has(entry) !== true).map((entry) => `add ${own} ${entry}`),
    ]
  })
}
