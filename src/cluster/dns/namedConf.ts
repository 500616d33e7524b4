import { zoneFileName } from './zoneFiles.js'
import type { DnsServerConfig } from './types.js'

/**
 * The configuration of BIND's named as the DNS server of a cluster: it serves the cluster's zones, resolves aliases to
 * servers outside, and stores nothing on the host. (dnsmasq cannot resolve these: it must know the target of its
 * `cname` itself, so an ExternalName would have no address.)
 */
export function namedConf({ folder, origins, forwarders }: DnsServerConfig): string {
  const list = (items: readonly string[]) => `{ ${items.map((item) => `${item}; `).join('')}}`
  const outside =
    forwarders.length === 0
      ? ['recursion no']
      : ['recursion yes', 'allow-recursion { any; }', 'forward only', `forwarders ${list(forwarders)}`]
  const options = [
    `directory "${folder}"`,
    ...['pid-file none', 'session-keyfile none'],
    ...['listen-on { any; }', 'listen-on-v6 { any; }', 'interface-interval 0'],
    ...['allow-query { any; }', 'allow-transfer { none; }', 'querylog yes'],
    ...outside,
    ...['dnssec-validation no', 'empty-zones-enable no', 'notify no', 'minimal-responses yes'],
    // a dashed address may end with a dash, which would invalidate the whole zone
    'check-names primary ignore',
    ...['max-cache-size 8m', 'version none', 'server-id none', 'hostname none'],
  ]
  return [
    ...['options {', ...options.map((option) => `  ${option};`), '};'],
    // no control channel: the DNS servers of all labs would need the same port
    'controls { };',
    ...origins.map((origin) => `zone "${origin}" { type primary; file "${zoneFileName(origin)}"; };`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
