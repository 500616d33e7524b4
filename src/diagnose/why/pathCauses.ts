import { networkHolds, parseNetwork } from '../../net/address.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { routeCommand } from '../../trace/change/routeCommand.js'
import { hostProposal, type Failure } from './asked.js'
import type { Cause } from './types.js'

/** A device of a host whose range has addresses of pods on another node: packets for these stay on its link. */
export function overlapCauses(failure: Failure): Cause[] {
  const { end, snapshot } = failure
  const { place, missing } = end
  if (missing?.kind !== 'neighbour') return []
  const { device: name, address } = missing
  const owner = ownerOf(failure, address)
  if (owner === undefined || owner.netns === place) return []
  const { network } = snapshot.state
  const device = network.devices.find((one) => one.netns === place && one.name === name)
  const entry = device?.addresses.find((own) => holds(`${own.address}/${own.prefixLength}`, address))
  if (device === undefined || entry === undefined) return []
  const text = `${entry.address}/${entry.prefixLength}`
  const edit = (state: TraceState): TraceState => ({
    ...state,
    network: {
      ...state.network,
      devices: state.network.devices.map((one) =>
        one.netns === place && one.name === name
          ? { ...one, addresses: one.addresses.filter((own) => own.address !== entry.address) }
          : one,
      ),
      routes: state.network.routes.filter(
        ({ netns, device: by, via, to }) =>
          netns !== place || by !== name || via !== undefined || !holds(to, address),
      ),
    },
  })
  return [
    {
      code: 'overlapping-range',
      place,
      says: `${name} of ${place} has ${text}, a range that overlaps ${owner.cidr}, the pods of ${owner.name}: packets for ${address} stay on its link`,
      proposals: [
        hostProposal(
          failure,
          place,
          `ip address del ${text} dev ${name}`,
          `${name} of ${place} does not have ${text}`,
          edit,
        ),
      ],
    },
  ]
}

/** A host sees one direction of a connection: its conntrack calls the packets invalid, and a rule drops them. */
export function halfSeenCauses(failure: Failure): Cause[] {
  const { end, path, packet, snapshot } = failure
  const { place, rule } = end
  if (end.later !== true || !/INVALID|ct state invalid/.test(rule?.spec ?? '')) return []
  const at = path.hops.findIndex((hop) => hop.place === place && hop.packet === 'request')
  const before = path.hops.slice(0, at).findLast((hop) => hop.place !== place && hop.place !== 'fabric')
  const destination = path.hops[at]?.after.destination.address ?? packet.destination.address
  const owner = ownerOf(failure, destination)
  const via = owner?.addresses.find(({ family }) => family === packet.family)?.address
  if (before === undefined) return []
  const argv = ['route', 'replace', owner?.cidr ?? '', 'via', via ?? '']
  const isOther = owner !== undefined && via !== undefined && owner.netns !== place
  const sees = `conntrack of ${place} sees what ${before.place} sends, and not the answer, which takes another path`
  return [
    {
      code: 'asymmetric-path',
      place: before.place,
      says: isOther
        ? `${before.place} sends packets for ${owner.cidr}, the pods of ${owner.name}, through ${place}: ${sees}`
        : sees,
      proposals:
        isOther && snapshot.state.sysctls.has(before.place)
          ? [
              hostProposal(
                failure,
                before.place,
                `ip ${argv.join(' ')}`,
                `the route of ${before.place} to ${owner.cidr} is via ${via}`,
                (state) => routeCommand(state, before.place, argv) ?? state,
              ),
            ]
          : [],
    },
  ]
}

/** The node whose pods have an address, and the range. */
function ownerOf({ snapshot }: Failure, address: string) {
  for (const node of snapshot.model.topology.nodes)
    for (const { cidr } of node.podRanges) if (holds(cidr, address)) return { ...node, cidr }
  return undefined
}

function holds(cidr: string, address: string): boolean {
  const network = parseNetwork(cidr)
  return network !== undefined && networkHolds(network, address)
}
