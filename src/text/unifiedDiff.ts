/** The differences of two texts with three lines of context, as Python's difflib and its Go port find and print them. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')]
  return grouped(changesOf(a, b))
    .flatMap((group) => [
      `@@ -${range(group.map(({ from }) => from))} +${range(group.map(({ to }) => to))} @@`,
      ...group.flatMap(({ same, from, to }) => [
        ...a.slice(...from).map((line) => `${same ? ' ' : '-'}${line}`),
        ...(same ? [] : b.slice(...to).map((line) => `+${line}`)),
      ]),
    ])
    .join('\n')
}

type Range = readonly [start: number, end: number]

/** Lines of both texts: the same ones, or some that others replace. */
interface Change {
  readonly same: boolean
  readonly from: Range
  readonly to: Range
}

const context = 3

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = []
  let [i, j] = [0, 0]
  for (const [atA, atB, size] of [...matches(a, b), [a.length, b.length, 0] as const]) {
    if (i < atA || j < atB) changes.push({ same: false, from: [i, atA], to: [j, atB] })
    if (size > 0) changes.push({ same: true, from: [atA, atA + size], to: [atB, atB + size] })
    ;[i, j] = [atA + size, atB + size]
  }
  return changes
}

type Match = readonly [atA: number, atB: number, size: number]

/** Equal blocks: the longest one, then those before and after it. */
function matches(a: readonly string[], b: readonly string[]): Match[] {
  const positions = positionsOf(b)
  const found: Match[] = []
  const rest: [Range, Range][] = [
    [
      [0, a.length],
      [0, b.length],
    ],
  ]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [[fromA, toA], [fromB, toB]] = next
    const [i, j, size] = longest(a, b, positions, next)
    if (size === 0) continue
    found.push([i, j, size])
    rest.push(
      [
        [fromA, i],
        [fromB, j],
      ],
      [
        [i + size, toA],
        [j + size, toB],
      ],
    )
  }
  return merged(found.sort(([one], [other]) => one - other))
}

function merged(found: readonly Match[]): Match[] {
  const result: Match[] = []
  for (const [i, j, size] of found) {
    const last = result.at(-1)
    if (last !== undefined && last[0] + last[2] === i && last[1] + last[2] === j)
      result[result.length - 1] = [last[0], last[1], last[2] + size]
    else result.push([i, j, size])
  }
  return result
}

/** The lines of a text by content; frequent lines of a long text start no block. */
function positionsOf(lines: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  for (const [index, line] of lines.entries()) {
    const list = positions.get(line)
    if (list === undefined) positions.set(line, [index])
    else list.push(index)
  }
  if (lines.length >= 200)
    for (const [line, list] of positions)
      if (list.length > Math.floor(lines.length / 100) + 1) positions.delete(line)
  return positions
}

function longest(
  a: readonly string[],
  b: readonly string[],
  positions: ReadonlyMap<string, readonly number[]>,
  [[fromA, toA], [fromB, toB]]: readonly [Range, Range],
): Match {
  let best: Match = [fromA, fromB, 0]
  let lengths = new Map<number, number>()
  for (let i = fromA; i < toA; i += 1) {
    const next = new Map<number, number>()
    for (const j of positions.get(a[i] ?? '') ?? []) {
      if (j < fromB || j >= toB) continue
      const size = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best[2]) best = [i - size + 1, j - size + 1, size]
    }
    lengths = next
  }
  let [i, j, size] = best
  for (; i > fromA && j > fromB && a[i - 1] === b[j - 1]; i -= 1, j -= 1) size += 1
  while (i + size < toA && j + size < toB && a[i + size] === b[j + size]) size += 1
  return [i, j, size]
}

/** Changes with their context; a long same part separates two groups. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [[]]
  for (const [index, change] of changes.entries()) {
    const { same, from, to } = change
    const length = from[1] - from[0]
    const head = index === 0 ? 0 : Math.min(context, length)
    const tail = index === changes.length - 1 ? 0 : Math.min(context, length)
    if (!same || length <= head + tail) groups.at(-1)?.push(change)
    else {
      groups.at(-1)?.push({ same, from: [from[0], from[0] + head], to: [to[0], to[0] + head] })
      groups.push([{ same, from: [from[1] - tail, from[1]], to: [to[1] - tail, to[1]] }])
    }
  }
  return groups.filter((group) => group.some(({ same }) => !same))
}

function range(parts: readonly Range[]): string {
  const [start, end] = [parts[0]?.[0] ?? 0, parts.at(-1)?.[1] ?? 0]
  const length = end - start
  return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`
}
