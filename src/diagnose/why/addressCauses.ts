import type { LinkEnd } from '../../topology/network.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import { hostProposal, type Failure } from './asked.js'
import type { Cause, Proposal } from './types.js'

type Interface = Pick<LinkEnd, 'netns' | 'name'>

/** The place of the lab that should have an address: it does not have it now, or the link of the interface is down. */
export function addressCauses(failure: Failure, address: string): Cause[] {
  const { model, state } = failure.snapshot
  const owner = model.topology.places.find(({ addresses }) =>
    addresses.some((own) => own.address === address),
  )
  if (owner === undefined) return []
  const device = state.network.devices.find(({ addresses }) =>
    addresses.some((own) => own.address === address),
  )
  if (device === undefined) return [missingAddress(failure, owner.netns, address)]
  return downCauses(
    failure,
    device,
    (down) => `${address} is the address of ${owner.name}, and ${down} is down`,
  )
}

/** The sender, or a host that forwards, has an interface that is down, by which it sends. */
export function senderCauses(failure: Failure, device: string, address: string): Cause[] {
  const { place } = failure.end
  const says = (down: string) => `${place} sends packets for ${address} by ${device}, and ${down} is down`
  return downCauses(failure, { netns: place, name: device }, says)
}

/** An end of the link of an interface that is down. */
function downCauses(failure: Failure, own: Interface, says: (down: string) => string): Cause[] {
  const down = failure.snapshot.state.network.links
    .flatMap((link) => {
      const ends = link.type.kind === 'veth' ? [link, link.type.peer] : [link]
      return ends.some((end) => isSame(end, own)) ? ends : []
    })
    .find((end) => end.down === true)
  if (down === undefined) return []
  const place = down.netns ?? fabricPlace
  return [
    {
      code: 'link-down',
      says: says(`${down.name} of ${place}`),
      proposals: upProposals(failure, own, down),
    },
  ]
}

/** The interface is set up again; the fabric's end of a cable is no place for commands: its node is reconnected. */
function upProposals(failure: Failure, own: Interface, down: LinkEnd): Proposal[] {
  const edit = (before: TraceState) => withLinkUp(before, down)
  const { netns } = down
  if (netns !== undefined) {
    const says = `${down.name} of ${netns} is up`
    return [hostProposal(failure, netns, `ip link set dev ${down.name} up`, says, edit)]
  }
  const { lab, topology } = failure.snapshot.model
  const node = topology.nodes.find((one) => one.netns === own.netns)?.name
  if (node === undefined) return []
  const command = `vethlab node ${lab.name} ${node} up`
  const says = `${node} is connected to the network again`
  return [{ kind: 'host', place: fabricPlace, says, command, edit }]
}

function isSame(one: LinkEnd, other: Interface): boolean {
  return (one.netns ?? fabricPlace) === (other.netns ?? fabricPlace) && one.name === other.name
}

function withLinkUp(state: TraceState, end: LinkEnd): TraceState {
  const up = <End extends LinkEnd>(one: End): End => (isSame(one, end) ? { ...one, down: undefined } : one)
  const links = state.network.links.map((link) => ({
    ...up(link),
    type: link.type.kind === 'veth' ? { ...link.type, peer: up(link.type.peer) } : link.type,
  }))
  return { ...state, network: { ...state.network, links } }
}

/** An address that the plan gives to a place: it is added again, with the routes that its removal took away. */
function missingAddress(failure: Failure, place: string, address: string): Cause {
  const planned = plannedState(failure.snapshot.model).network
  const device = planned.devices.find(
    ({ netns, addresses }) => netns === place && addresses.some((own) => own.address === address),
  )
  const says = `${place} does not have its address ${address}`
  const entry = device?.addresses.find((own) => own.address === address)
  if (device === undefined || entry === undefined)
    return { code: 'host-address-missing', says, proposals: [] }
  const { routes } = failure.snapshot.state.network
  const isV6 = address.includes(':')
  // with the address, the kernel adds those without a next hop itself
  const lost = planned.routes.filter(
    (route) =>
      route.netns === place &&
      (route.via ?? route.to).includes(':') === isV6 &&
      !routes.some((one) => one.netns === place && one.to === route.to && one.via === route.via),
  )
  const option = isV6 ? '-6 ' : ''
  const commands = [
    `ip address add ${address}/${entry.prefixLength} dev ${device.name}`,
    ...lost.flatMap(({ to, via }) => (via === undefined ? [] : [`ip ${option}route add ${to} via ${via}`])),
  ]
  const argv = commands.length === 1 ? (commands[0] ?? '') : `sh -c '${commands.join(' && ')}'`
  return {
    code: 'host-address-missing',
    says: `${says} on ${device.name}`,
    proposals: [
      hostProposal(failure, place, argv, `${device.name} of ${place} has ${address} again`, (state) => {
        const known = state.network.devices.some((one) => isSame(one, device))
        const devices = known
          ? state.network.devices.map((one) =>
              isSame(one, device) ? { ...one, addresses: [...one.addresses, entry] } : one,
            )
          : [...state.network.devices, { ...device, addresses: [entry] }]
        return {
          ...state,
          network: { ...state.network, devices, routes: [...state.network.routes, ...lost] },
        }
      }),
    ],
  }
}
