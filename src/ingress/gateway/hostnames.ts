/** The more particular of two host names when one takes in the other; undefined when they have no name in common. */
export function intersection(a: string, b: string): string | undefined {
  if (a === b || covers(a, b)) return b
  return covers(b, a) ? a : undefined
}

/** Whether every name that `inner` stands for is one of `outer`; a wildcard is for one label or more, never for none. */
export function covers(outer: string, inner: string): boolean {
  if (outer === '*' || outer === inner) return true
  return outer.startsWith('*.') && inner.length > outer.length - 1 && inner.endsWith(outer.slice(1))
}

/** Every host name that takes in this one, the most particular first: itself, wildcards, and `*`. */
export function covering(hostname: string): string[] {
  if (hostname === '*') return ['*']
  const labels = hostname.split('.')
  const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)
  return [...new Set([hostname, ...wildcards, '*'])]
}

/** Sorts exact names before wildcards, longer ones before shorter ones, and the one for all last. */
export function mostParticularFirst(a: string, b: string): number {
  const rank = (name: string) => (name === '*' ? 2 : name.startsWith('*.') ? 1 : 0)
  return rank(a) - rank(b) || b.length - a.length
}
