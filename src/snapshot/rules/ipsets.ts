import type { TracedIpset } from '../model/balancing.js'
import type { Meaning } from '../../agents/meaning.js'

/** Reads the output of `ipset save`, or the input of `ipset restore`; meanings by the set and the entry. */
export function loadIpsets(
  lines: readonly string[],
  meanings: ReadonlyMap<string, ReadonlyMap<string, Meaning>> = new Map(),
): ReadonlyMap<string, TracedIpset> {
  const sets = new Map<string, TracedIpset & { entries: Set<string>; exceptions?: string[] }>()
  for (const line of lines) {
    const [command, name = '', text = '', ...options] = line.trim().split(' ')
    if (command === 'create') {
      const own = meanings.get(name) ?? new Map<string, Meaning>()
      sets.set(name, { type: text, entries: new Set(), meanings: own, unknown: unknownType(text, options) })
    }
    const set = sets.get(name)
    if (command !== 'add' || set === undefined) continue
    // a comment may have the word too
    if (
      options
        .join(' ')
        .replace(/"[^"]*"/, '')
        .includes('nomatch')
    )
      (set.exceptions ??= []).push(text)
    else set.entries.add(text)
  }
  return sets
}

/** Why a type is not evaluated; undefined if it is. */
function unknownType(type: string, options: readonly string[]): string | undefined {
  const known = /^(hash:(ip|net)(,(ip|port|net))*|bitmap:(ip|port)|list:set)$/.test(type)
  if (!known || options.includes('netmask') || options.includes('bitmask'))
    return `sets of type ${type} are not predicted`
  return undefined
}
