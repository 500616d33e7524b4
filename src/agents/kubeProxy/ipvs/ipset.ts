import { createOptions, nameInFamily, setNames } from './sets.js'
import type { IpvsState } from './types.js'

/** Input of `ipset restore` that creates and fills every set. */
export function ipsetLines({ family, sets }: Pick<IpvsState, 'family' | 'sets'>): string[] {
  return setNames.flatMap((name) => {
    const own = nameInFamily(name, family)
    return [
      `create ${own} ${createOptions(name, family)}`,
      ...[...sets[name]].sort(byNumberThenText).map((entry) => `add ${own} ${entry}`),
    ]
  })
}

/** An entry as ipset lists it: a range that is one address has no length. */
export function listedEntry(entry: string): string {
  const last = entry.slice(entry.lastIndexOf(',') + 1)
  const length = last.includes(':') ? '/128' : '/32'
  return last.endsWith(length) ? entry.slice(0, -length.length) : entry
}

function byNumberThenText(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  return Number.isNaN(difference) ? (a < b ? -1 : 1) : difference
}
