import type {
  BridgePort,
  Device,
  ForwardingEntry,
  Link,
  LinkEnd,
  Neighbour,
  Network,
  Route,
} from './network.js'

/** The line that creates a link (ip-link(8)), with its ends in their namespaces; runs in the sandbox's first namespace. */
export function linkLine({ type, ...end }: Link): string {
  const made = `link add ${endWords(end)} type ${type.kind}`
  switch (type.kind) {
    case 'bridge':
      return `${made} mcast_snooping 0`
    case 'veth':
      return `${made} peer ${endWords(type.peer)}`
    case 'vxlan':
      return `${made} id ${type.id} local ${type.local} dev ${type.device} dstport ${type.port} nolearning`
  }
}

function endWords({ netns, name, index, mac, mtu }: LinkEnd): string {
  return [
    `name ${name}`,
    ...(index === undefined ? [] : [`index ${index}`]),
    ...(mac === undefined ? [] : [`address ${mac}`]),
    ...(mtu === undefined ? [] : [`mtu ${mtu}`]),
    ...(netns === undefined ? [] : [`netns ${netns}`]),
  ].join(' ')
}

/**
 * The lines that set a device up. vethlab sets link-local addresses itself: those of the kernel are checked for
 * duplicates first, which delays IPv6 forwarding for a second or two.
 */
export function deviceLines({ name, linkLocal, addresses }: Device): string[] {
  return [
    ...(linkLocal === undefined ? [] : [`link set dev ${name} addrgenmode none`]),
    ...(linkLocal === undefined || linkLocal === 'none'
      ? []
      : [`addr add ${linkLocal}/64 dev ${name} nodad`]),
    ...addresses.map(
      ({ family, address, prefixLength }) =>
        `addr add ${address}/${prefixLength} dev ${name}${family === 'IPv6' ? ' nodad' : ''}`,
    ),
    `link set ${name} up`,
  ]
}

/** The lines that make a device a port of a bridge. */
export function portLines({ device, bridge, hairpin }: BridgePort): string[] {
  return [
    `link set dev ${device} master ${bridge} up`,
    ...(hairpin ? [`link set dev ${device} type bridge_slave hairpin on`] : []),
  ]
}

/** Everything inside one namespace, in the required order: routes need their addresses. */
export function namespaceLines({
  devices,
  ports,
  neighbours,
  routes,
}: Pick<Network, 'devices' | 'ports' | 'neighbours' | 'routes'>): string[] {
  return [
    ...devices.flatMap(deviceLines),
    ...ports.flatMap(portLines),
    ...neighbours.map(neighbourLine),
    ...routes.map(routeLine),
  ]
}

function neighbourLine({ address, mac, device }: Neighbour): string {
  return `neigh add ${address} lladdr ${mac} dev ${device} nud permanent`
}

function routeLine({ to, via, device, onlink }: Route): string {
  return `route add ${to}${via === undefined ? '' : ` via ${via}`} dev ${device}${onlink === true ? ' onlink' : ''}`
}

/** The line of `bridge -batch` for a forwarding entry (bridge(8)). */
export function forwardingLine({ mac, device, to }: ForwardingEntry): string {
  return `fdb add ${mac} dev ${device} dst ${to} self permanent`
}
