import { namespacedName } from '../cluster/namespacedName.js'
import { cniPlugin, type Meaning } from './meaning.js'
import { type NodeAgent } from './agent.js'
import { createHash } from 'node:crypto'
import { hostPortsOf, type HostPort } from '../cluster/pods/hostPorts.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import { addressFamily } from '../net/ranges.js'
import { comment, dnat, isLocal, jump, marked, transport } from '../netfilter/rules/build.js'
import type { Range } from '../netfilter/rules/formats.js'
import type { Rule } from '../netfilter/rules/model.js'
import { renderRule } from '../netfilter/rules/render.js'
import type { Cluster, Protocol } from '../cluster/types.js'

/** The CNI plugin portmap: it opens the hostPorts of pods. */
export const hostPorts: NodeAgent = {
  owner: cniPlugin,
  rulesOf(cluster, { name, podRanges }, family) {
    const range = podRanges.find((candidate) => candidate.family === family)
    const pods = range === undefined ? [] : hostPortPods(cluster, name, family)
    const lines = range === undefined || pods.length === 0 ? [] : linesOf(pods, range.cidr, family)
    return {
      restore: range === undefined ? '' : hostPortRules(pods, range.cidr, family),
      native: () => '',
      meanings: () =>
        new Map(
          lines.map(({ line, pod }) => [
            `nat ${line}`,
            { spec: line.replace(/^-\S+ \S+ /, ''), owner: cniPlugin, ...(pod && meaningOf(pod)) },
          ]),
        ),
    }
  },
}

function meaningOf({ id }: HostPortPod): Meaning {
  const [namespace, name = ''] = id.split('/')
  const field = 'spec.containers[].ports[].hostPort'
  return { why: field, object: { kind: 'Pod', namespace, name, field } }
}

/** hostPorts are also reachable through the node's loopback, so that its packets must be allowed onto the bridge. */
export function hostPortSysctls(cluster: Cluster, node: string): Readonly<Record<string, string | number>> {
  return hostPortPods(cluster, node, 'IPv4').length === 0 ? {} : { 'net.ipv4.conf.cni0.route_localnet': 1 }
}

/** A pod with hostPorts, as passed to the CNI plugin portmap. */
export interface HostPortPod {
  /** `namespace/name`. */
  readonly id: string
  readonly address: string
  readonly ports: readonly HostPort[]
}

/** Chains and mark of portmap. */
const chains = { dnat: 'CNI-HOSTPORT-DNAT', masq: 'CNI-HOSTPORT-MASQ', setMark: 'CNI-HOSTPORT-SETMARK' }
const mark = 0x2000

/** Maximum number of ports of a `multiport` match. */
const portsOfRule = 15

/** The pods of a node that have hostPorts, each with its address in a family; a port whose hostIP is no address stays closed. */
export function hostPortPods(cluster: Cluster, node: string, family: IpFamily): HostPortPod[] {
  return cluster.pods.flatMap((pod) => {
    if (pod.spec.nodeName !== node || pod.spec.hostNetwork === true) return []
    const ports = hostPortsOf(pod).filter(
      ({ hostIP }) => hostIP === undefined || addressFamily(hostIP) === family,
    )
    const address = (pod.status?.podIPs ?? []).find(({ ip }) => familyOf(ip) === family)?.ip
    return ports.length === 0 || address === undefined ? [] : [{ id: namespacedName(pod), address, ports }]
  })
}

/**
 * Input of iptables-restore (`--noflush`) that opens the hostPorts of a node's pods as portmap does, instead of those
 * opened `before`. Empty if nothing changes.
 */
export function hostPortRules(
  pods: readonly HostPortPod[],
  podRange: string,
  family: IpFamily,
  before: readonly HostPortPod[] = [],
): string {
  if (pods.length === 0 && before.length === 0) return ''
  const gone = before.filter(({ id }) => !pods.some((pod) => pod.id === id)).map(chainOf)
  const own = [...Object.values(chains), ...pods.map(chainOf), ...gone]
  const lines = [
    ...own.map((chain) => `:${chain} - [0:0]`),
    ...linesOf(pods, podRange, family, before.length === 0).map(({ line }) => line),
    ...gone.map((chain) => `-X ${chain}`),
    // removing the last pod removes the jumps; the next first pod adds them again
    ...(pods.length === 0 ? jumps.map(({ chain, rule }) => line('-D', chain, rule)) : []),
  ]
  return `*nat\n${lines.join('\n')}\nCOMMIT\n`
}

/** The lines that add rules, and the pods that they are for. */
function linesOf(pods: readonly HostPortPod[], podRange: string, family: IpFamily, withJumps = true) {
  const shared = [
    ...(withJumps ? jumps.map(({ command, chain, rule }) => line(command, chain, rule)) : []),
    line('-A', chains.setMark, {
      matches: [comment('CNI portfwd masquerade mark')],
      target: { kind: 'MARK', setXmark: { value: mark, mask: mark } },
    }),
    line('-A', chains.masq, { matches: [marked(mark)], target: { kind: 'MASQUERADE' } }),
  ]
  const ofPod = (pod: HostPortPod) => (own: string) => ({ line: own, pod })
  return [
    ...shared.map((own): { line: string; pod?: HostPortPod } => ({ line: own })),
    ...pods.flatMap((pod) => entries(pod).map(ofPod(pod))),
    ...pods.flatMap((pod) =>
      pod.ports.flatMap((port) => portRules(pod, port, podRange, family)).map(ofPod(pod)),
    ),
  ]
}

/** The last one is inserted at the top: the masquerade rule for pods would otherwise match its packets. */
const jumps: readonly { readonly command: '-A' | '-I'; readonly chain: string; readonly rule: Rule }[] = [
  { command: '-A', chain: 'PREROUTING', rule: { matches: [isLocal('dst')], target: jump(chains.dnat) } },
  { command: '-A', chain: 'OUTPUT', rule: { matches: [isLocal('dst')], target: jump(chains.dnat) } },
  {
    command: '-I',
    chain: 'POSTROUTING',
    rule: { matches: [comment('CNI portfwd requiring masquerade')], target: jump(chains.masq) },
  },
]

/** The jumps to a pod's chain: one per protocol and group of ports. */
function entries(pod: HostPortPod): string[] {
  const note = comment(`dnat name: "cni0" id: "${pod.id}"`)
  return (['TCP', 'UDP', 'SCTP'] as const).flatMap((protocol) =>
    groups(pod.ports, protocol).map((value) =>
      line('-A', chains.dnat, {
        protocol: { value: protocol.toLowerCase() },
        matches: [note, { kind: 'multiport', dports: { value } }],
        target: jump(chainOf(pod)),
      }),
    ),
  )
}

function groups(ports: readonly HostPort[], protocol: Protocol): Range[][] {
  const numbers = [
    ...new Set(ports.filter((port) => port.protocol === protocol).map(({ hostPort }) => hostPort)),
  ].map((port) => ({ first: port, last: port }))
  return Array.from({ length: Math.ceil(numbers.length / portsOfRule) }, (_, index) =>
    numbers.slice(index * portsOfRule, (index + 1) * portsOfRule),
  )
}

/** Masquerade for a pod that connects to its own node, and for the node's loopback; then DNAT. */
function portRules(pod: HostPortPod, port: HostPort, podRange: string, family: IpFamily): string[] {
  const protocol = port.protocol.toLowerCase() as Lowercase<Protocol>
  const toPort = transport(protocol, [], port.hostPort, port.hostIP)
  const callers = family === 'IPv4' ? [podRange, '127.0.0.1/32'] : [podRange]
  return [
    ...callers.map((value): Rule => ({ ...toPort, source: { value }, target: jump(chains.setMark) })),
    { ...toPort, target: dnat(pod.address, port.containerPort) },
  ].map((rule) => line('-A', chainOf(pod), rule))
}

function line(command: '-A' | '-I' | '-D', chain: string, rule: Rule): string {
  return `${command} ${chain} ${renderRule(rule)}`
}

/** `CNI-DN-` and a hash, of the maximum length of a chain name (28 characters). */
function chainOf({ id }: HostPortPod): string {
  return `CNI-DN-${createHash('sha512').update(`cni0${id}`).digest('hex').slice(0, 21)}`
}
