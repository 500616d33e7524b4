import type { Pod } from '../types.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { clusterDomain } from './records.js'

/** The DNS settings that kubelet uses for the files of a pod. */
export interface NamesAround {
  /** Addresses of the cluster's DNS server, the primary family first. */
  readonly clusterDns: readonly string[]
  /** Addresses of the servers that nodes query, for dnsPolicy Default. */
  readonly outside: readonly string[]
}

/** `metadata.name` unless the pod has a hostname; truncated to 63 characters, like kubelet does. */
export function podHostname({ metadata, spec }: Pod): string {
  const name = spec.hostname === undefined || spec.hostname === '' ? metadata.name : spec.hostname
  return name.slice(0, 63).replace(/[-.]+$/, '')
}

/** /etc/resolv.conf of a pod, from its dnsPolicy and dnsConfig (kubelet's network/dns). */
export function podResolvConf(pod: Pod, { clusterDns, outside }: NamesAround): string {
  const own = dnsConfig(pod)
  const base = usesClusterDns(pod)
    ? { nameservers: clusterDns, searches: searches(pod), options: ['ndots:5'] }
    : { nameservers: pod.spec['dnsPolicy'] === 'None' ? [] : outside, searches: [], options: [] }
  const options = new Map(
    [...base.options, ...own.options].map((option) => [option.split(':')[0] ?? option, option]),
  )
  return resolvConf(
    // the C library uses this many
    [...new Set([...base.nameservers, ...own.nameservers])].slice(0, 3),
    [...new Set([...base.searches, ...own.searches])],
    [...options.values()],
  )
}

/** Renders /etc/resolv.conf. */
export function resolvConf(
  nameservers: readonly string[],
  searches: readonly string[] = [],
  options: readonly string[] = [],
): string {
  return [
    ...(searches.length === 0 ? [] : [`search ${searches.join(' ')}`]),
    ...nameservers.map((address) => `nameserver ${address}`),
    ...(options.length === 0 ? [] : [`options ${options.join(' ')}`]),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** /etc/hosts of a pod, hostAliases included. */
export function podHosts(pod: Pod): string {
  const { hostname, subdomain, hostAliases } = pod.spec
  const namespace = pod.metadata.namespace ?? 'default'
  const name = podHostname(pod)
  const full =
    hostname !== undefined && subdomain !== undefined && subdomain !== ''
      ? [`${hostname}.${subdomain}.${namespace}.svc.${clusterDomain}`]
      : []
  const own = (pod.status?.podIPs ?? []).map(({ ip }) => [ip, ...full, name])
  const aliases = records(hostAliases).map((alias) => [word(alias['ip']), ...texts(alias['hostnames'])])
  return [
    ['127.0.0.1', 'localhost'],
    ['::1', 'localhost', 'ip6-localhost', 'ip6-loopback'],
    ...own,
    ...aliases,
  ]
    .map((words) => `${words.join('\t')}\n`)
    .join('')
}

/** How the C library of a pod looks up names: undefined if it queries another server than the cluster's. */
export function podResolver(
  pod: Pod,
): { readonly searches: readonly string[]; readonly ndots: number } | undefined {
  if (!usesClusterDns(pod)) return undefined
  const { searches: more, options } = dnsConfig(pod)
  const given = options.flatMap((option) => /^ndots:(\d+)$/.exec(option)?.[1] ?? []).map(Number)
  return { searches: [...new Set([...searches(pod), ...more])], ndots: given.at(-1) ?? 5 }
}

/** The address that hostAliases of a pod have for a name. */
export function hostAlias({ spec }: Pod, name: string): string | undefined {
  const found = records(spec.hostAliases).find((alias) => texts(alias['hostnames']).includes(name))
  return found === undefined ? undefined : word(found['ip'])
}

function usesClusterDns({ spec }: Pod): boolean {
  const policy = spec['dnsPolicy'] ?? 'ClusterFirst'
  // with hostNetwork a pod uses the node's DNS, unless it requests the cluster's
  return policy === 'ClusterFirstWithHostNet' || (policy === 'ClusterFirst' && spec.hostNetwork !== true)
}

function searches({ metadata }: Pod): string[] {
  const services = `svc.${clusterDomain}`
  return [`${metadata.namespace ?? 'default'}.${services}`, services, clusterDomain]
}

function dnsConfig({ spec }: Pod): { nameservers: string[]; searches: string[]; options: string[] } {
  const config = isRecord(spec['dnsConfig']) ? spec['dnsConfig'] : {}
  return {
    nameservers: texts(config['nameservers']),
    searches: texts(config['searches']),
    options: records(config['options']).map(({ name, value }) =>
      value === undefined || value === '' ? word(name) : `${word(name)}:${word(value)}`,
    ),
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(word).filter((one) => one !== '') : []
}

/** One word: input from users never creates another word or line in a file. */
function word(value: unknown): string {
  return text(value).replaceAll(/\s/g, '')
}
