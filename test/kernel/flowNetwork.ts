import { startSandbox, type OwnSandbox } from '../../src/host/sandbox/startSandbox.js'
import { runStages } from '../../src/host/sandbox/runPlan.js'
import { streamModule } from '../../src/host/machine.js'
import { renderFullRestore } from '../../src/proxy/iptables/restore.js'
import { buildRuleset } from '../../src/proxy/iptables/ruleset.js'
import { modeOf } from '../../src/proxy/modes.js'
import { echoServerConfig } from '../../src/topology/echoServer.js'
import type { Flow, Scenario } from '../proxy/iptables/flows/scenario.js'

/** Where a flow's packets come from, or who answers them. */
export type Host = 'node' | 'pods' | 'endpoints' | 'outside' | 'beyond'

/** The node of a scenario, and around it hosts that hold every other address of its flows. */
export interface FlowNetwork {
  readonly sandbox: OwnSandbox
  /** Which host sends a flow's packets. */
  sourceOf(flow: Flow): Host
}

const ports = {
  tcp: [53, 80, 443, 3001, 3002, 3003, 5353, 8443, 30000],
  udp: [53, 80],
}

/**
 * Both ends of each link; what is masqueraded towards endpoints shows as the node's first address there. Link-local
 * addresses are given, so that the first IPv6 packet does not wait for duplicate address detection.
 */
const links = {
  endpoints: {
    node: ['198.18.1.1/30', 'fd99:1::1/64', 'fe80::1/64'],
    host: ['198.18.1.2/30', 'fd99:1::2/64', 'fe80::2/64'],
  },
  pods: {
    node: ['198.18.2.1/30', 'fd99:2::1/64', 'fe80::1/64'],
    host: ['198.18.2.2/30', 'fd99:2::2/64', 'fe80::2/64'],
  },
  beyond: {
    node: ['198.18.3.1/30', 'fd99:3::1/64', 'fe80::1/64'],
    host: ['198.18.3.2/30', 'fd99:3::2/64', 'fe80::2/64'],
  },
  outside: {
    node: [
      '192.168.0.2/24',
      '192.168.1.2/32',
      '192.168.99.11/32',
      '2001:db8::1/64',
      '2001:db8:1::2/128',
      'fe80::1/64',
    ],
    host: ['192.168.0.254/24', '2001:db8::fe/64', 'fe80::2/64'],
  },
} as const
type Neighbour = keyof typeof links
const neighbours = Object.keys(links) as Neighbour[]
const hosts: readonly Host[] = ['node', ...neighbours]

/**
 * Builds a scenario: the node with its rules; pods and an outside client, which hold the sources of its flows; endpoints,
 * which answer; and `beyond`, where the node's default route leads, which holds the addresses that flows go to. A packet
 * that no rule took is seen to arrive there (or at the node itself), and is not taken for one that was dropped.
 */
export async function buildFlowNetwork(scenario: Scenario): Promise<FlowNetwork> {
  const sandbox = await startSandbox(`flows:${scenario.name}`)
  const sourceOf = sourcesOf(scenario)
  const restore = scenario.family === 'IPv4' ? 'iptables-restore' : 'ip6tables-restore'
  const file = (name: string) => `/run/vethlab/flows/${name}`
  try {
    await runStages(sandbox, [
      {
        name: 'namespaces and links',
        files: [{ path: file('links'), text: linkLines() }],
        commands: [{ argv: ['ip', '-batch', file('links')] }],
      },
      {
        name: 'addresses and routes',
        files: [
          ...hosts.map((host) => ({ path: file(host), text: hostLines(host, scenario, sourceOf) })),
          ...hosts.map((host) => ({
            path: file(`${host}.d/nginx.conf`),
            text: serverConfig(host, file(`${host}.d`)),
          })),
        ],
        commands: [{ argv: ['ip', '-n', '{}', '-batch', file('{}')], each: hosts }],
      },
      {
        name: 'rules, sysctls, servers',
        files: [
          { path: file('rules'), text: rulesOf(scenario) },
          { path: file('sysctls'), text: sysctlsOf(scenario) },
        ],
        commands: [
          { argv: ['nsenter', '--net=/run/netns/node', restore, '--noflush', '--counters', file('rules')] },
          { argv: ['nsenter', '--net=/run/netns/node', 'sysctl', '-q', '-p', file('sysctls')] },
          ...(scenario.inputPolicy === undefined
            ? []
            : [
                {
                  argv: [
                    'nsenter',
                    '--net=/run/netns/node',
                    'iptables',
                    '-w',
                    '5',
                    '-P',
                    'INPUT',
                    scenario.inputPolicy,
                  ],
                },
              ]),
          {
            argv: [
              'nsenter',
              '--net=/run/netns/{}',
              'nginx',
              '-e',
              file('{}.d/error.log'),
              '-c',
              file('{}.d/nginx.conf'),
            ],
            each: ['node', 'endpoints', 'beyond'],
          },
        ],
      },
    ])
    return { sandbox, sourceOf }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

function sourcesOf({ input, flows }: Scenario): (flow: Flow) => Host {
  const endpoints = new Set(
    input.endpointSlices.flatMap((slice) => slice.endpoints.flatMap(({ addresses }) => addresses)),
  )
  const node = new Set(input.localAddresses)
  const ofFlow = ({ source, destination }: Flow): Host => {
    if (node.has(source)) return 'node'
    // a load balancer's address that calls itself is one that is bound on the node
    if (source === destination) return 'node'
    if (endpoints.has(source)) return 'endpoints'
    return /^(?:10\.|fd00:10:)/.test(source) ? 'pods' : 'outside'
  }
  const known = new Map(flows.map((flow) => [flow, ofFlow(flow)]))
  return (flow) => known.get(flow) ?? ofFlow(flow)
}

function linkLines(): string {
  return lines([
    ...hosts.map((host) => `netns add ${host}`),
    ...neighbours.map((host) => `link add name ${host} netns node type veth peer name eth0 netns ${host}`),
  ])
}

function hostLines(host: Host, scenario: Scenario, sourceOf: FlowNetwork['sourceOf']): string {
  const up = (device: string) => ['link set lo up', `link set dev ${device} addrgenmode none up`]
  const assign = (address: string, device: string) =>
    `addr add ${address}${address.includes('/') ? '' : `/${bits(address)}`} dev ${device}${address.includes(':') ? ' nodad' : ''}`
  if (host === 'node') {
    return lines([
      ...neighbours.flatMap((neighbour) => [
        ...links[neighbour].node.map((address) => assign(address, neighbour)),
        ...up(neighbour),
      ]),
      ...neighbours.flatMap((neighbour) =>
        addressesOf(neighbour, scenario, sourceOf).map(
          (address) => `route add ${address}/${bits(address)} via ${gateway(neighbour, 'host', address)}`,
        ),
      ),
      ...['0.0.0.0/0', '::/0'].map((all) => `route add ${all} via ${gateway('beyond', 'host', all)}`),
    ])
  }
  return lines([
    ...links[host].host.map((address) => assign(address, 'eth0')),
    ...addressesOf(host, scenario, sourceOf).map((address) => assign(address, 'eth0')),
    ...up('eth0'),
    ...['0.0.0.0/0', '::/0'].map((all) => `route add ${all} via ${gateway(host, 'node', all)}`),
  ])
}

/** The addresses of a scenario that a host holds besides its end of the link. */
function addressesOf(
  host: Neighbour,
  { input, flows }: Scenario,
  sourceOf: FlowNetwork['sourceOf'],
): readonly string[] {
  const sources = flows.filter((flow) => sourceOf(flow) === host).map(({ source }) => source)
  const endpoints = input.endpointSlices.flatMap((slice) =>
    slice.endpoints.flatMap(({ addresses }) => addresses),
  )
  const elsewhere = flows
    .map(({ destination }) => destination)
    .filter((destination) => input.localAddresses?.includes(destination) !== true)
  const more = { endpoints, beyond: elsewhere, pods: [], outside: [] }[host]
  return [...new Set([...sources, ...more])]
}

function gateway(neighbour: Neighbour, end: 'node' | 'host', like: string): string {
  const found = links[neighbour][end].find((address) => address.includes(':') === like.includes(':'))
  return found?.replace(/\/\d+$/, '') ?? ''
}

function rulesOf({ input, family }: Scenario): string {
  return renderFullRestore(buildRuleset({ ...input, nfacct: false, randomFully: true }, family))
}

function sysctlsOf({ input }: Scenario): string {
  const set = {
    'net.ipv4.ip_forward': 1,
    'net.ipv6.conf.all.forwarding': 1,
    ...Object.fromEntries(
      ['all', 'default', ...neighbours].map((name) => [`net.ipv4.conf.${name}.rp_filter`, 0]),
    ),
    'net.ipv4.icmp_ratelimit': 0,
    'net.ipv6.icmp.ratelimit': 0,
    ...modeOf(input.config.mode).sysctls(input),
  }
  return lines(Object.entries(set).map(([name, value]) => `${name} = ${value}`))
}

/** Every server answers with its name, the address that was called, and the address of the client. */
function serverConfig(host: Host, folder: string): string {
  const all = [
    ...ports.tcp.map((port) => ({ port, protocol: 'TCP' as const })),
    ...ports.udp.map((port) => ({ port, protocol: 'UDP' as const })),
  ]
  return echoServerConfig({ pod: host, namespace: 'ns1', node: 'test-node' }, all, ['IPv4', 'IPv6'], folder, {
    streamModule: streamModule(),
  })
}

function bits(address: string): number {
  return address.includes(':') ? 128 : 32
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('')
}
