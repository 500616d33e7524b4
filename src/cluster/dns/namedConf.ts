import { zoneFileName } from './zoneFiles.js'
import type { DnsServerConfig } from './types.js'

/**
 * The configuration of BIND's named as the DNS server of a cluster: it serves the cluster's zones, follows an alias to
 * servers outside, and keeps nothing on the machine. (dnsmasq cannot do the second: the target of its `cname` has to be
 * known to itself, so that an ExternalName comes without an address.)
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
    // a dashed address may end with a dash, for which the whole zone would be refused
    'check-names primary ignore',
    ...['max-cache-size 8m', 'version none', 'server-id none', 'hostname none'],
  ]
  return [
    ...['options {', ...options.map((option) => `  ${option};`), '};'],
    // no channel by which it is controlled, as every DNS server of every lab would want the same port
    'controls { };',
    ...origins.map((origin) => `zone "${origin}" { type primary; file "${zoneFileName(origin)}"; };`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}
