import { familyOf } from '../../../../../src/net/ipFamily.js'
import type { ProxyInput } from '../../../../../src/agents/kubeProxy/input.js'
import { modeOf } from '../../../../../src/agents/kubeProxy/modes.js'
import { renderFullRestore } from '../../../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../../../src/agents/kubeProxy/iptables/ruleset.js'
import type { Network, Route } from '../../../../../src/topology/network.js'
import type { Sysctls } from '../../../../../src/topology/sysctls.js'
import type { InterfaceAddress } from '../../../../../src/topology/types.js'
import type { Flow, Scenario } from './scenario.js'

/** Where a flow's packets come from, or who answers them. */
export type Host = 'node' | 'pods' | 'endpoints' | 'outside' | 'beyond'

/** The ports on which hosts answer. */
export const ports = {
  tcp: [53, 80, 443, 3001, 3002, 3003, 5353, 8443, 30000],
  udp: [53, 80],
} as const

/** Both ends of each link; what is masqueraded towards endpoints shows as the node's first address there. */
const links = {
  endpoints: { node: ['198.18.1.1/30', 'fd99:1::1/64'], host: ['198.18.1.2/30', 'fd99:1::2/64'] },
  pods: { node: ['198.18.2.1/30', 'fd99:2::1/64'], host: ['198.18.2.2/30', 'fd99:2::2/64'] },
  beyond: { node: ['198.18.3.1/30', 'fd99:3::1/64'], host: ['198.18.3.2/30', 'fd99:3::2/64'] },
  outside: {
    node: ['192.168.0.2/24', '192.168.1.2/32', '192.168.99.11/32', '2001:db8::1/64', '2001:db8:1::2/128'],
    host: ['192.168.0.254/24', '2001:db8::fe/64'],
  },
} as const
type Neighbour = keyof typeof links
const neighbours = Object.keys(links) as Neighbour[]

/** The hosts of a scenario. */
export const hosts: readonly Host[] = ['node', ...neighbours]

/** The hosts that answer. */
export const servers: readonly Host[] = ['node', 'endpoints', 'beyond']

/**
 * The network of a scenario: the node; pods and an outside client, which hold the sources of its flows; endpoints,
 * which answer; and `beyond`, where the node's default route leads, which holds the addresses that flows go to. A packet
 * that no rule took arrives there or at the node itself, and is not taken for one that was dropped.
 */
export function flowNetworkOf(scenario: Scenario): Network {
  return {
    links: neighbours.map((name) => ({
      ...{ netns: 'node', name },
      type: { kind: 'veth', peer: { netns: name, name: 'eth0' } },
    })),
    devices: [
      ...hosts.map((netns) => ({ netns, name: 'lo', addresses: [] })),
      ...neighbours.flatMap((host) => [
        { netns: 'node', name: host, linkLocal: 'fe80::1', addresses: links[host].node.map(written) },
        {
          ...{ netns: host, name: 'eth0', linkLocal: 'fe80::2' },
          addresses: [...links[host].host, ...addressesOf(host, scenario)].map(written),
        },
      ]),
    ],
    routes: [
      ...neighbours.flatMap((host) =>
        addressesOf(host, scenario).map((to): Route => {
          return { netns: 'node', to, via: end(host, 'host', to), device: host }
        }),
      ),
      ...['0.0.0.0/0', '::/0'].flatMap((to): Route[] => [
        { netns: 'node', to, via: end('beyond', 'host', to), device: 'beyond' },
        ...neighbours.map((netns) => ({ netns, to, via: end(netns, 'node', to), device: 'eth0' })),
      ]),
    ],
    ...{ ports: [], neighbours: [], forwarding: [] },
  }
}

/** Which host sends a flow's packets. */
export function sourceOf({ input }: Scenario, { source, destination }: Flow): Host {
  if (input.localAddresses?.includes(source) === true || isOnNode({ source, destination })) return 'node'
  if (endpointsOf(input).includes(source)) return 'endpoints'
  return /^(?:10\.|fd00:10:)/.test(source) ? 'pods' : 'outside'
}

/** Whether the flow is that of a load balancer's address that calls itself: one that is bound on the node. */
export function isOnNode({ source, destination }: Pick<Flow, 'source' | 'destination'>): boolean {
  return source === destination && source !== '::1' && !source.startsWith('127.')
}

/** What kube-proxy on the node knows; without counters, which other hosts lack. */
export function flowInput({ input }: Scenario): ProxyInput {
  return { ...input, nfacct: false, randomFully: true }
}

/** The node's rules, for iptables-restore. */
export function flowRules(scenario: Scenario): string {
  return renderFullRestore(buildRuleset(flowInput(scenario), scenario.family))
}

/** The node's sysctls. */
export function flowSysctls({ input }: Scenario): Sysctls {
  return {
    'net.ipv4.ip_forward': 1,
    'net.ipv6.conf.all.forwarding': 1,
    ...Object.fromEntries(
      ['all', 'default', ...neighbours].map((name) => [`net.ipv4.conf.${name}.rp_filter`, 0]),
    ),
    'net.ipv4.icmp_ratelimit': 0,
    'net.ipv6.icmp.ratelimit': 0,
    ...modeOf(input.config.mode).sysctls(input),
  }
}

/** The addresses of a scenario that a host holds besides its end of the link. */
function addressesOf(host: Neighbour, scenario: Scenario): readonly string[] {
  const { input, flows } = scenario
  const sources = flows.filter((flow) => sourceOf(scenario, flow) === host).map(({ source }) => source)
  const elsewhere = flows
    .map(({ destination }) => destination)
    .filter((destination) => input.localAddresses?.includes(destination) !== true)
  const more = { endpoints: endpointsOf(input), beyond: elsewhere, pods: [], outside: [] }[host]
  return [...new Set([...sources, ...more])]
}

function endpointsOf({ endpointSlices }: Scenario['input']): string[] {
  return endpointSlices.flatMap(({ endpoints }) => endpoints.flatMap(({ addresses }) => addresses))
}

function end(neighbour: Neighbour, side: 'host' | 'node', like: string): string {
  const found = links[neighbour][side].find((one) => familyOf(one) === familyOf(like))
  return found?.replace(/\/\d+$/, '') ?? ''
}

function written(text: string): InterfaceAddress {
  const [address = '', length] = text.split('/')
  const family = familyOf(address)
  return { family, address, prefixLength: Number(length ?? (family === 'IPv6' ? 128 : 32)) }
}
