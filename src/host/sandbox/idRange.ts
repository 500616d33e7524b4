/** The user and group ids of the host that the ids 0, 1, 2, … of a sandbox map to. */
export interface IdRange {
  /** The host's id of the sandbox's root. */
  readonly first: number
  readonly count: number
}

/** Ids that no user of a host has, as many as there are 16-bit ids. */
const wanted: IdRange = { first: 1_000_000, count: 65_536 }

/** Fewer ids do not suffice for a user namespace: daemons drop to ids such as 33 or 101. */
const fewest = 1000

/**
 * The ids of a sandbox that root starts, from the text of /proc/self/uid_map; undefined if there are too few. In a container
 * with its own user namespace it is the upper half of the longest extent, because files of the container rarely belong to
 * these ids.
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
