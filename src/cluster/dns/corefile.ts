import { zoneFileName } from './zoneFiles.js'
import type { DnsServerConfig } from './types.js'

/**
 * The configuration of CoreDNS for the same zone files. Its plugin `file` follows an alias by asking the whole server,
 * `forward` included. kubeadm's plugin `cache` is not in it: that keeps answers from the cluster's own zones too, and a
 * change would be seen up to 30 seconds later.
 */
export function corefile({ folder, origins, forwarders }: DnsServerConfig): string {
  const plugins = [
    ...['errors', 'log', 'loadbalance'],
    ...origins.map((origin) => `file ${folder}/${zoneFileName(origin)} ${origin}`),
    ...(forwarders.length === 0 ? [] : [`forward . ${forwarders.join(' ')}`]),
  ]
  return ['.:53 {', ...plugins.map((plugin) => `    ${plugin}`), '}'].map((line) => `${line}\n`).join('')
}
