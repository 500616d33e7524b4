import { createHash } from 'node:crypto'
import { hostPortsOf, type HostPort } from '../cluster/pods/hostPorts.js'
import { familyOf, type IpFamily } from '../net/ipFamily.js'
import type { Cluster, Protocol } from '../cluster/types.js'
import { podKey } from './followPods.js'

/** A pod that has ports of its node open, as the CNI plugin portmap is told of it. */
export interface HostPortPod {
  /** `namespace/name`. */
  readonly id: string
  readonly address: string
  readonly ports: readonly HostPort[]
}

/** Chains and mark of portmap. */
const chains = { dnat: 'CNI-HOSTPORT-DNAT', masq: 'CNI-HOSTPORT-MASQ', setMark: 'CNI-HOSTPORT-SETMARK' }
const mark = '0x2000/0x2000'

/** A rule with `multiport` takes so many ports. */
const portsOfRule = 15

/** The pods of a node that have hostPorts, each with its address in a family. */
export function hostPortPods(cluster: Cluster, node: string, family: IpFamily): HostPortPod[] {
  return cluster.pods.flatMap((pod) => {
    if (pod.spec.nodeName !== node || pod.spec.hostNetwork === true) return []
    const ports = hostPortsOf(pod).filter(({ hostIP }) => hostIP === undefined || familyOf(hostIP) === family)
    const address = (pod.status?.podIPs ?? []).find(({ ip }) => familyOf(ip) === family)?.ip
    return ports.length === 0 || address === undefined ? [] : [{ id: podKey(pod), address, ports }]
  })
}

/**
 * What iptables-restore (`--noflush`) reads to open the hostPorts of a node's pods as portmap does, instead of those that
 * it opened `before`. Empty when nothing is to do.
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
    ...(before.length === 0 ? jumps : []),
    `-A ${chains.setMark} -m comment --comment "CNI portfwd masquerade mark" -j MARK --set-xmark ${mark}`,
    `-A ${chains.masq} -m mark --mark ${mark} -j MASQUERADE`,
    ...pods.flatMap(entries),
    ...pods.flatMap((pod) => pod.ports.flatMap((port) => portRules(pod, port, podRange, family))),
    ...gone.map((chain) => `-X ${chain}`),
    ...(pods.length === 0 ? withdrawn : []),
  ]
  return `*nat\n${lines.join('\n')}\nCOMMIT\n`
}

/** The last goes first in its chain: what leaves the cluster is masqueraded behind it, and would take its packets. */
const jumpRules = [
  `PREROUTING -m addrtype --dst-type LOCAL -j ${chains.dnat}`,
  `OUTPUT -m addrtype --dst-type LOCAL -j ${chains.dnat}`,
  `POSTROUTING -m comment --comment "CNI portfwd requiring masquerade" -j ${chains.masq}`,
] as const
const jumps = jumpRules.map((rule) => `${rule.startsWith('POSTROUTING') ? '-I' : '-A'} ${rule}`)

/** The last pod's end takes the jumps along, so that the next first one brings them again. */
const withdrawn = jumpRules.map((rule) => `-D ${rule}`)

/** The jumps to a pod's chain: one for each protocol and so many ports. */
function entries(pod: HostPortPod): string[] {
  const comment = `-m comment --comment "dnat name: \\"cni0\\" id: \\"${pod.id}\\""`
  return (['TCP', 'UDP', 'SCTP'] as const).flatMap((protocol) =>
    groups(pod.ports, protocol).map(
      (list) =>
        `-A ${chains.dnat} -p ${protocol.toLowerCase()} ${comment} -m multiport --dports ${list} -j ${chainOf(pod)}`,
    ),
  )
}

function groups(ports: readonly HostPort[], protocol: Protocol): string[] {
  const numbers = [
    ...new Set(ports.filter((port) => port.protocol === protocol).map(({ hostPort }) => hostPort)),
  ]
  return Array.from({ length: Math.ceil(numbers.length / portsOfRule) }, (_, index) =>
    numbers.slice(index * portsOfRule, (index + 1) * portsOfRule).join(','),
  )
}

/** Masquerade for a pod that calls its own node, and for the node's loopback; then the rewrite. */
function portRules(pod: HostPortPod, port: HostPort, podRange: string, family: IpFamily): string[] {
  const protocol = port.protocol.toLowerCase()
  const destination = port.hostIP === undefined ? '' : ` -d ${port.hostIP}`
  const match = `${destination} -p ${protocol} -m ${protocol} --dport ${port.hostPort}`
  const chain = chainOf(pod)
  const address = family === 'IPv4' ? pod.address : `[${pod.address}]`
  return [
    `-A ${chain} -s ${podRange}${match} -j ${chains.setMark}`,
    ...(family === 'IPv4' ? [`-A ${chain} -s 127.0.0.1/32${match} -j ${chains.setMark}`] : []),
    `-A ${chain}${match} -j DNAT --to-destination ${address}:${port.containerPort}`,
  ]
}

/** `CNI-DN-` and a hash, as long as a chain's name may be (28 characters). */
function chainOf({ id }: HostPortPod): string {
  return `CNI-DN-${createHash('sha512').update(`cni0${id}`).digest('hex').slice(0, 21)}`
}
