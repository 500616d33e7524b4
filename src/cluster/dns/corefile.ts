import { zoneFileName } from './zoneFiles.js'
import type { DnsServerConfig } from './types.js'

/**
 * The configuration of CoreDNS for the same zone files. Its plugin `file` resolves an alias through the whole server,
 * including `forward`. kubeadm's plugin `cache` is omitted: it also caches answers from the cluster's zones, so that a
 * change would be visible up to 30 seconds later.
 */
export function corefile({ folder, origins, forwarders }: DnsServerConfig): string {
  const plugins = [
    ...['errors', 'log', 'loadbalance'],
    ...origins.map((origin) => `file ${folder}/${zoneFileName(origin)} ${origin}`),
    ...(forwarders.length === 0 ? [] : [`forward . ${forwarders.join(' ')}`]),
  ]
  return ['.:53 {', ...plugins.map((plugin) => `    ${plugin}`), '}'].map((line) => `${line}\n`).join('')
}
