import { networkHolds, parseNetwork } from '../../net/address.js'
import { setSysctl } from '../../trace/change/editRules.js'
import { tunnelOverhead } from '../../topology/overlay.js'
import { withMtu } from '../../trace/change/ipCommand.js'
import type { Missing } from '../../trace/model/steps.js'
import { hostsOf } from '../../trace/network/host.js'
import { routeCommand } from '../../trace/change/routeCommand.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { codeOfSetting } from '../codes/codeOfEnd.js'
import { addressCauses, senderCauses } from './addressCauses.js'
import { hostProposal, type Failure } from './asked.js'
import type { Cause, Proposal } from './types.js'

/** What is missing on a host: a setting, a route, a link. */
export function hostCauses(failure: Failure): Cause[] {
  const { end } = failure
  const { missing, place } = end
  switch (missing?.kind) {
    case 'sysctl': {
      const { name, value } = missing
      // a packet for the host itself, which does not have the address: it would have to forward it
      const to = failure.path.hops.at(-1)?.before.destination.address
      const absent = /forward/.test(name) && to !== undefined ? addressCauses(failure, to) : []
      if (absent.length > 0) return absent
      const now = failure.snapshot.state.sysctls.get(place)?.[name] ?? 0
      const back = /rp_filter$/.test(name) ? otherWay(failure) : undefined
      return [
        {
          code: codeOfSetting(name),
          says: `${name} of ${place} is ${now}${back === undefined ? '' : `, and its route ${back.text} leads by another interface than the one by which packets from there arrive`}`,
          proposals: [
            sysctlProposal(failure, place, name, value),
            ...(back === undefined ? [] : [back.proposal]),
          ],
        },
      ]
    }
    case 'neighbour':
      return senderCauses(failure, missing.device, missing.address)
    case 'hairpin':
      return [hairpinCause(failure, place, missing.port)]
    case 'mtu':
      return mtuCauses(failure, missing)
    case 'route':
      return routeCauses(failure, missing.to)
    default:
      return end.kind === 'misrouted' ? returnCauses(failure) : []
  }
}

/** The route to the source of a packet that arrives by another interface, and the proposal to remove it. */
function otherWay(failure: Failure): { readonly text: string; readonly proposal: Proposal } | undefined {
  const { path, snapshot, end } = failure
  const { place } = end
  const hop = path.hops.findLast((one) => one.place === place)
  const source = hop?.before.source.address
  const back = source === undefined ? undefined : hostsOf(snapshot.state)(place).routeTo(source)
  if (back === undefined || back.device === hop?.in) return undefined
  const route = snapshot.state.network.routes.find(
    ({ netns, to, device, kind = 'unicast' }) =>
      netns === place &&
      kind === 'unicast' &&
      device === back.device &&
      `${to}${to.includes('/') ? '' : to.includes(':') ? '/128' : '/32'}` === back.to.text,
  )
  if (route === undefined) return undefined
  const via = route.via === undefined ? '' : ` via ${route.via}`
  const text = `${route.to}${via} dev ${route.device}`
  const argv = ['route', 'del', ...text.split(' ')]
  const edit = (state: TraceState) => routeCommand(state, place, argv) ?? state
  return {
    text,
    proposal: hostProposal(
      failure,
      place,
      `ip ${argv.join(' ')}`,
      `the route ${text} of ${place} is removed`,
      edit,
    ),
  }
}

function sysctlProposal(failure: Failure, place: string, name: string, value: number): Proposal {
  const edit = (state: TraceState) => setSysctl(state, place, { [name]: value })
  return hostProposal(failure, place, `sysctl -w ${name}=${value}`, `${name} of ${place} is ${value}`, edit)
}

/** Every host on the path that sends larger packets gets a smaller MTU: that of the device by which they leave, or of its tunnel. */
function mtuCauses(failure: Failure, { device, bytes, largest }: Extract<Missing, { kind: 'mtu' }>): Cause[] {
  const { path, packet: request, snapshot } = failure
  const senders = (path.limits ?? []).map(({ sender, packet, bytes: most }) => {
    const tunnel = snapshot.state.network.links.find(
      ({ netns, type }) => netns === sender && type.kind === 'vxlan',
    )
    return packet === 'tunnel' && tunnel !== undefined
      ? { sender, name: tunnel.name, mtu: most - tunnelOverhead[request.family] }
      : { sender, name: 'eth0', mtu: most }
  })
  const edit = (from: TraceState) =>
    senders.reduce((next, { sender, name, mtu }) => withMtu(next, sender, name, mtu) ?? next, from)
  const [first] = senders
  if (first === undefined) return []
  const { place } = failure.end
  const raised = (from: TraceState) => withMtu(from, place, device, largest) ?? from
  const isTunnel = snapshot.state.network.links.some(
    ({ netns, name, type }) => netns === place && name === device && type.kind === 'vxlan',
  )
  const argv = `ip link set dev ${first.name} mtu ${first.mtu}`
  const says = senders.map(({ sender, name, mtu }) => `the MTU of ${name} on ${sender} is ${mtu}`).join(', ')
  return [
    {
      code: 'mtu-too-small',
      place,
      says: `the MTU of ${device} is ${bytes}: handshakes and short answers pass, and larger packets are lost`,
      proposals: [
        // a tunnel takes bytes of the packets below it: it cannot be larger
        ...(isTunnel
          ? []
          : [
              hostProposal(
                failure,
                place,
                `ip link set dev ${device} mtu ${largest}`,
                `the MTU of ${device} on ${place} is ${largest}, as that of its sender`,
                raised,
              ),
            ]),
        hostProposal(failure, first.sender, argv, says, edit),
      ],
    },
  ]
}

function hairpinCause(failure: Failure, place: string, port: string): Cause {
  const edit = (state: TraceState): TraceState => {
    const ports = state.network.ports.map((one) =>
      one.netns === place && one.device === port ? { ...one, hairpin: true } : one,
    )
    return { ...state, network: { ...state.network, ports } }
  }
  return {
    code: 'hairpin-off',
    says: `hairpin of the bridge port ${port} on ${place} is off: a pod cannot reach itself through its Service`,
    proposals: [
      hostProposal(
        failure,
        place,
        `bridge link set dev ${port} hairpin on`,
        `hairpin of ${port} is on`,
        edit,
      ),
    ],
  }
}

/** The node whose pods have the address, and the hosts on the path that have no route to them. */
function routeCauses(failure: Failure, to: string): Cause[] {
  const { snapshot, path, packet } = failure
  const { nodes } = snapshot.model.topology
  const owner = nodes.find(({ podRanges }) => podRanges.some(({ cidr }) => holds(cidr, to)))
  const range = owner?.podRanges.find(({ cidr }) => holds(cidr, to))
  const via = owner?.addresses.find(({ family }) => family === packet.family)?.address
  if (owner === undefined || range === undefined || via === undefined) return []
  const sender = path.hops.findLast(({ place }) =>
    nodes.some(({ netns }) => netns === place && netns !== owner.netns),
  )
  if (sender === undefined) return []
  const { place } = sender
  // it has one besides the default route: another host lacks it, or has one that leads nowhere
  const own = hostsOf(snapshot.state)(place).routeTo(to)
  if (own?.kind === 'unicast' && own.to.prefixLength > 0) return []
  // a rule of policy routing, or a route that comes first, keeps the packet from it
  const hasRoute = snapshot.state.network.routes.some(
    ({ netns, to: own, kind = 'unicast' }) => netns === place && own === range.cidr && kind === 'unicast',
  )
  if (hasRoute) return []
  const argv = ['route', 'add', range.cidr, 'via', via]
  const edit = (state: TraceState) => routeCommand(state, place, argv) ?? state
  return [
    {
      code: 'route-missing',
      says: `${place} has no route to ${range.cidr}, the pods of ${owner.name}`,
      proposals: [
        hostProposal(
          failure,
          place,
          `ip ${argv.join(' ')}`,
          `${place} has a route to ${range.cidr} via ${via}`,
          edit,
        ),
      ],
    },
  ]
}

/** The answer bypasses the host that rewrote the request. */
function returnCauses(failure: Failure): Cause[] {
  const { path, snapshot, packet } = failure
  const rewriter = path.hops.find(
    ({ packet: kind, steps }) =>
      kind === 'request' &&
      steps.some(
        (step) =>
          (step.kind === 'balance' || (step.kind === 'nat' && step.by === 'rule')) &&
          step.side === 'destination',
      ),
  )
  if (rewriter === undefined) return []
  const { place } = rewriter
  const masqueraded = rewriter.steps.some((step) => step.kind === 'nat' && step.side === 'source')
  const bridge = `net.bridge.bridge-nf-call-ip${packet.family === 'IPv4' ? '' : '6'}tables`
  const skips = Number(snapshot.state.sysctls.get(place)?.[bridge] ?? 0) === 0
  return [
    {
      code: skips ? 'bridge-nf-off' : 'answer-bypasses-nat',
      says: `${place} rewrites the destination of the request${masqueraded ? '' : ' and keeps its source'}, and the answer does not pass its conntrack, which would reverse that`,
      proposals: skips ? [sysctlProposal(failure, place, bridge, 1)] : [],
    },
    ...(masqueraded || skips
      ? []
      : [
          {
            code: 'masquerade-missing' as const,
            place,
            says: `${place} does not masquerade the request: nothing rewrites its source to the node’s address`,
            proposals: [],
          },
        ]),
  ]
}

function holds(cidr: string, address: string): boolean {
  const network = parseNetwork(cidr)
  return network !== undefined && networkHolds(network, address)
}
