/**
 * A subset of items that still holds, and of which no single item can be left out (the algorithm ddmin: A. Zeller and R. Hildebrandt,
 * "Simplifying and isolating failure-inducing input", 2002). `holds` is true of all items.
 */
export function deltaDebug<Item>(
  items: readonly Item[],
  holds: (kept: readonly Item[]) => boolean,
): readonly Item[] {
  let kept = items
  let parts = 2
  while (kept.length > 0) {
    const size = Math.ceil(kept.length / parts)
    const starts = Array.from({ length: Math.ceil(kept.length / size) }, (_, part) => part * size)
    const without = (start: number) => [...kept.slice(0, start), ...kept.slice(start + size)]
    const start = starts.find((one) => holds(without(one)))
    if (start !== undefined) {
      kept = without(start)
      parts = Math.max(2, parts - 1)
    } else if (size === 1) return kept
    else parts = Math.min(kept.length, parts * 2)
  }
  return kept
}
