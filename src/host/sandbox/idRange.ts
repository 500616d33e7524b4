/** User and group ids of the host that a sandbox's own ids 0, 1, 2, … stand for. */
export interface IdRange {
  /** The host's id of the sandbox's root. */
  readonly first: number
  readonly count: number
}

/** Ids that belong to nobody on a host, and as many as an unsigned 16-bit id can name. */
const wanted: IdRange = { first: 1_000_000, count: 65_536 }

/** Fewer are not worth a user namespace: daemons drop to ids such as 33 or 101. */
const fewest = 1000

/**
 * The ids that a sandbox of root gets, from the text of /proc/self/uid_map; undefined where too few are there. In a
 * container with a user namespace of its own that is the upper half of the longest extent: files of the container rarely
 * belong to these.
 */
export function idRange(uidMap: string): IdRange | undefined {
  const extents = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }))
  const whole = extents.some(
    ({ first, count }) => first <= wanted.first && first + count >= wanted.first + wanted.count,
  )
  if (whole) return wanted
  const longest = extents.sort((a, b) => b.count - a.count)[0] ?? { first: 0, count: 0 }
  const count = Math.min(wanted.count, Math.floor(longest.count / 2))
  return count < fewest ? undefined : { first: longest.first + longest.count - count, count }
}

/** One line of uid_map or gid_map (user_namespaces(7)). */
export function idMapLine({ first, count }: IdRange): string {
  return `0 ${first} ${count}\n`
}
