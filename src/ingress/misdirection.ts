import type { VirtualHost } from './model.js'
import { isHostname } from './routeProblems.js'

/** The host names of a port's listeners, the most specific first; empty if no request can be misdirected. */
export function listenerNames(hosts: readonly VirtualHost[]): string[] {
  const names = [...new Set(hosts.flatMap(({ listener }) => listener ?? []))].filter(isHostname)
  if (names.every((name) => name === '*')) return []
  const rank = (name: string) => (name === '*' ? 2 : name.startsWith('*.') ? 1 : 0)
  return names.sort((a, b) => rank(a) - rank(b) || b.length - a.length)
}
