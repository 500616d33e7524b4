import { withRoutesOfAddresses } from '../../src/topology/network.js'
import { joinHostPort } from '../../src/net/socketText.js'
import { familyOf } from '../../src/net/ipFamily.js'
import { tracedSocketText } from '../../src/snapshot/model/packet.js'
import type { Test } from 'tap'
import type { Listener, RuleTables, TraceState } from '../../src/snapshot/model/state.js'
import type { Path } from '../../src/trace/model/steps.js'
import { predict } from '../../src/trace/predict.js'
import { firstPacket } from '../../src/trace/request.js'
import {
  flowNetworkOf,
  flowSysctls,
  isOnNode,
  ports,
  servers,
  sourceOf,
} from '../agents/kubeProxy/iptables/flows/flowHosts.js'
import type { Flow, Scenario } from '../agents/kubeProxy/iptables/flows/scenario.js'

/** Compares predictions of a scenario with what its table, or a table for another mode, has for each flow. */
export function checkFlows(
  t: Test,
  scenario: Scenario,
  state: TraceState,
  wanted: (flow: Flow) => Pick<Flow, 'result' | 'masquerade'> = (flow) => flow,
): void {
  for (const flow of scenario.flows) {
    const { name, source, protocol, destination, port } = flow
    const { result, masquerade } = wanted(flow)
    const from = sourceOf(scenario, flow)
    const given = isOnNode(flow) ? withAddress(state, source) : state
    const { paths, complete } = predict(
      given,
      from,
      firstPacket(given, {
        ...{ from, protocol, port },
        ...{ address: destination, sourceAddress: source, sourcePort: 40_000 },
      }),
    )
    t.same(
      { ...seen(paths, scenario, source), complete, probability: sumOf(paths).toFixed(6) },
      {
        ...{ result: result.split(', ').sort(), masquerade: [masquerade] },
        ...{ complete: true, probability: '1.000000' },
      },
      `${name}: ${source} → ${joinHostPort(destination, port)} (${protocol})`,
    )
  }
}

/** The state in which the node has one more address. */
function withAddress(state: TraceState, address: string): TraceState {
  const family = familyOf(address)
  const own = { family, address, prefixLength: family === 'IPv4' ? 32 : 128 }
  const devices = state.network.devices.map((device) =>
    device.netns === 'node' && device.name === 'lo' ? { ...device, addresses: [own] } : device,
  )
  return { ...state, network: withRoutesOfAddresses({ ...state.network, devices }) }
}

/** Everything that can happen to the packets, in the terms of the tables. */
function seen(paths: readonly Path[], { inputPolicy }: Scenario, source: Flow['source']) {
  const results = paths.map(({ end, receiver }) => {
    if (receiver?.name === 'endpoints') return tracedSocketText(receiver.socket)
    if (receiver !== undefined) return inputPolicy === undefined ? '' : 'ACCEPT'
    if (end.kind === 'rejected') return 'REJECT'
    if (end.kind !== 'dropped') return end.kind
    return inputPolicy === 'DROP' && end.rule === undefined ? '' : 'DROP'
  })
  const masquerade = paths.map(({ hops, receiver }) => {
    const requests = hops.filter(({ packet }) => packet === 'request')
    return receiver !== undefined && requests.at(-1)?.after.source.address !== source
  })
  return { result: [...new Set(results)].sort(), masquerade: [...new Set(masquerade)] }
}

function sumOf(paths: readonly Path[]): number {
  return paths.reduce((sum, { probability }) => sum + probability, 0)
}

/** The state of a scenario whose node has these rules. */
export function flowState(scenario: Scenario, tables: RuleTables): TraceState {
  const { inputPolicy, family } = scenario
  const rules = inputPolicy === undefined ? tables : withPolicy(tables, inputPolicy)
  return {
    ...{
      network: withRoutesOfAddresses(flowNetworkOf(scenario)),
      nft: new Map(),
      programs: new Map(),
      announced: [],
    },
    ...{ rules: new Map([['node', { [family]: rules }]]), opaque: new Map() },
    sysctls: new Map([['node', flowSysctls(scenario)]]),
    listeners: servers.flatMap((netns) =>
      [...numbered('tcp', ports.tcp), ...numbered('udp', ports.udp), ...numbered('sctp', ports.udp)].map(
        (one): Listener => ({ netns, name: netns, ...one }),
      ),
    ),
  }
}

function numbered(protocol: Listener['protocol'], all: readonly number[]) {
  return all.map((port) => ({ protocol, port }))
}

function withPolicy(tables: RuleTables, policy: string): RuleTables {
  const filter = new Map(tables.get('filter'))
  filter.set('INPUT', { policy, rules: filter.get('INPUT')?.rules ?? [] })
  return new Map([...tables, ['filter', filter]])
}
