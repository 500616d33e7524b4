import { namespacedName } from '../namespacedName.js'
import type { Pod } from '../types.js'
import { hostAlias, podResolver } from './podFiles.js'
import { clusterDomain, dnsZone, type DnsObjects } from './records.js'
import type { DnsRecord } from './types.js'

/** The addresses of a name as a pod looks it up, or why it has none. */
export type LookedUp =
  { readonly addresses: readonly string[] } | { readonly problem: string; readonly hint?: string | undefined }

/** Looks up a name in the DNS of the cluster, with the search list and `ndots` of a pod (resolv.conf(5)). */
export function lookUp(name: string, pod: Pod, objects: DnsObjects): LookedUp {
  const alias = hostAlias(pod, name)
  if (alias !== undefined) return { addresses: [alias] }
  const resolver = podResolver(pod)
  const own = namespacedName(pod)
  if (resolver === undefined)
    return {
      problem: `pod ${own} does not use the DNS of the cluster (dnsPolicy), which would look up "${name}"`,
      hint: `set spec.dnsPolicy to ${pod.spec.hostNetwork === true ? 'ClusterFirstWithHostNet: with hostNetwork, ClusterFirst is the DNS of the node' : 'ClusterFirst'}`,
    }
  const { searches, ndots } = resolver
  const typed = name.toLowerCase()
  const dots = typed.split('.').length - 1
  const listed = searches.map((suffix) => `${typed}.${suffix}`)
  const tried = typed.endsWith('.')
    ? [typed.slice(0, -1)]
    : dots >= ndots
      ? [typed, ...listed]
      : [...listed, typed]
  const { records } = dnsZone(objects)
  for (const full of tried) {
    const addresses = addressesOf(full, records)
    if (addresses.length > 0) return { addresses }
    const alias = records.find((one) => one.name === full && one.type === 'CNAME')
    if (alias?.type === 'CNAME')
      return {
        problem: `"${name}" is ${full}, an ExternalName: DNS answers with the name ${alias.target}, and a client connects to that host, without a rule of kube-proxy`,
        hint: isInCluster(alias.target) ? `no Service has the name ${alias.target}` : `call ${alias.target}`,
      }
    // a Service without ready endpoints that is headless has a name, and no address
    if (isNamed(full, objects))
      return {
        problem: `"${name}" is ${full}, a headless Service without a ready endpoint: DNS has no address for it`,
      }
  }
  const others = objects.services.filter(({ metadata }) => metadata.name === typed.split('.')[0])
  const found = others.map(({ metadata }) => `${metadata.name}.${metadata.namespace ?? 'default'}`)
  return {
    problem: `DNS has no address for "${name}": ${own} looks up ${tried.join(', ')}`,
    hint:
      found.length === 0 ? undefined : `a Service in another namespace has the name ${found.join(' or ')}`,
  }
}

function isInCluster(name: string): boolean {
  return name === clusterDomain || name.endsWith(`.${clusterDomain}`)
}

function isNamed(full: string, { services }: DnsObjects): boolean {
  return services.some(
    ({ metadata }) => `${metadata.name}.${metadata.namespace ?? 'default'}.svc.${clusterDomain}` === full,
  )
}

/** The addresses of a name, and of the name in the cluster that it is an alias of. */
function addressesOf(name: string, records: readonly DnsRecord[], depth = 0): string[] {
  return records.flatMap((one) => {
    if (one.name !== name) return []
    if (one.type === 'A' || one.type === 'AAAA') return [one.address]
    return one.type === 'CNAME' && depth < 8 ? addressesOf(one.target, records, depth + 1) : []
  })
}
