import { listedEntry } from './ipset.js'
import { createOptions, nameInFamily, setNames } from './sets.js'
import type { IpvsState } from './types.js'

/**
 * Input of `ipset restore` that updates the existing sets: missing sets are created, surplus
 * entries deleted before missing ones are added. Unlike kube-proxy's own comparison, a source range that is one address
 * is recognised in the form that ipset lists, and kept.
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
