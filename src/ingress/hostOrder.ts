import type { Listener, VirtualHost } from './model.js'

/**
 * The hosts of all listeners of a port in the order in which they are tried: exact names, the longest wildcards, `*`. A
 * name that several listeners have is one host, with the routes of all.
 */
export function hostsOf(listeners: readonly Listener[]): VirtualHost[] {
  const hosts = new Map<string, VirtualHost>()
  for (const host of listeners.flatMap((listener) => listener.hosts)) {
    const key = `${host.hostname.toLowerCase()} ${host.hostname.startsWith('*.') ? host.wildcard : ''}`
    const known = hosts.get(key)
    hosts.set(key, known === undefined ? host : { ...known, routes: [...known.routes, ...host.routes] })
  }
  return [...hosts.values()].sort(compareHosts)
}

/** Compares two hosts: the one to try first is less. */
export function compareHosts(a: Named, b: Named): number {
  return rank(a) - rank(b) || b.hostname.length - a.hostname.length
}

type Named = Pick<VirtualHost, 'hostname'>

function rank({ hostname }: Named): number {
  return hostname === '*' ? 2 : hostname.startsWith('*.') ? 1 : 0
}

/** Listeners by their port. */
export function byPort(listeners: readonly Listener[]): Listener[][] {
  const ports = [...new Set(listeners.map(({ port }) => port))]
  return ports.map((port) => listeners.filter((listener) => listener.port === port))
}
