import { proxiedNodes } from '../../../snapshot/fromPlan/plannedState.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import type { NodePlace } from '../../../topology/types.js'
import { codeOfSetting } from '../../codes/codeOfEnd.js'
import { nodeCommand, type Fact } from './fact.js'

/** Settings of the kernel on nodes with which packets of Services get lost. */
export function settings(snapshot: Snapshot): Fact[] {
  return snapshot.model.topology.nodes.flatMap((node) => [
    ...notForwarding(snapshot, node),
    ...bridgesPastRules(snapshot, node),
    ...changedSettings(snapshot, node),
  ])
}

function valueOf({ state }: Snapshot, { netns }: NodePlace, name: string): string | undefined {
  const value = state.sysctls.get(netns)?.[name]
  return value === undefined ? undefined : String(value)
}

function setting(snapshot: Snapshot, { name: node }: NodePlace, name: string, value: number): Fact['fixes'] {
  return [
    {
      says: `${name} of ${node} is ${value}`,
      command: nodeCommand(snapshot, node, `sysctl -w ${name}=${value}`),
    },
  ]
}

function notForwarding(snapshot: Snapshot, node: NodePlace): Fact[] {
  const has = (family: string) => node.addresses.some((one) => one.family === family)
  return ['net.ipv4.ip_forward', 'net.ipv6.conf.all.forwarding'].flatMap((name, index): Fact[] =>
    has(index === 0 ? 'IPv4' : 'IPv6') && valueOf(snapshot, node, name) === '0'
      ? [
          {
            code: 'ip-forward-off',
            says: `${name} of ${node.name} is 0: it forwards no packets from or to its pods`,
            node: node.name,
            fixes: setting(snapshot, node, name, 1),
            concerns: (request) => request.node === node.name,
          },
        ]
      : [],
  )
}

/** Only where pods share a bridge. */
function bridgesPastRules(snapshot: Snapshot, node: NodePlace): Fact[] {
  const name = 'net.bridge.bridge-nf-call-iptables'
  const { links, ports } = snapshot.state.network
  const bridges = links.filter(
    ({ netns, type, name: own }) =>
      netns === node.netns &&
      type.kind === 'bridge' &&
      ports.some(({ netns: at, bridge }) => at === netns && bridge === own),
  )
  const [bridge] = bridges
  if (bridge === undefined || valueOf(snapshot, node, name) !== '0') return []
  return [
    {
      code: 'bridge-nf-off',
      says: `${name} of ${node.name} is 0: answers between two pods on the bridge ${bridge.name} do not pass connection tracking, which would restore the address of a Service`,
      node: node.name,
      note: true,
      fixes: setting(snapshot, node, name, 1),
    },
  ]
}

/** Settings that kube-proxy makes when it starts, and that have another value now; not its timeouts. */
function changedSettings(snapshot: Snapshot, node: NodePlace): Fact[] {
  const { cluster } = snapshot.model
  const proxied = proxiedNodes(snapshot.model).get(node.name)
  if (proxied === undefined) return []
  const hasNodePort = cluster.services.some(({ spec }) =>
    (spec.ports ?? []).some(({ nodePort = 0 }) => nodePort > 0),
  )
  return Object.entries(proxied.mode.sysctls(proxied.input)).flatMap(([name, wanted]): Fact[] => {
    const now = valueOf(snapshot, node, name)
    if (/timeout|ip_forward/.test(name) || now === undefined || now === String(wanted)) return []
    const isLocal = name.endsWith('.route_localnet')
    if (isLocal && !hasNodePort) return []
    return [
      {
        code: codeOfSetting(name),
        says: `${name} of ${node.name} is ${now}; kube-proxy sets it to ${wanted}${isLocal ? ', so that node ports answer on 127.0.0.1' : ''}`,
        node: node.name,
        note: true,
        fixes: setting(snapshot, node, name, Number(wanted)),
      },
    ]
  })
}
