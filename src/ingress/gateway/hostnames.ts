/** The more specific of two host names if one covers the other; undefined if they have no name in common. */
export function intersection(a: string, b: string): string | undefined {
  if (a === b || coversHostname(a, b)) return b
  return coversHostname(b, a) ? a : undefined
}

/** Whether `outer` matches every name that `inner` matches; a wildcard matches one or more labels. */
export function coversHostname(outer: string, inner: string): boolean {
  if (outer === '*' || outer === inner) return true
  return outer.startsWith('*.') && inner.length > outer.length - 1 && inner.endsWith(outer.slice(1))
}

/** All host names that cover this one, the most specific first: itself, wildcards, and `*`. */
export function covering(hostname: string): string[] {
  if (hostname === '*') return ['*']
  const labels = hostname.split('.')
  const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)
  return [...new Set([hostname, ...wildcards, '*'])]
}

/** Sorts exact names before wildcards, longer ones before shorter ones, and `*` last. */
export function mostSpecificFirst(a: string, b: string): number {
  const rank = (name: string) => (name === '*' ? 2 : name.startsWith('*.') ? 1 : 0)
  return rank(a) - rank(b) || b.length - a.length
}
