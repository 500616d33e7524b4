import { Balancer, type BalancerOptions } from '../../agents/kubeProxy/userspace/balancer.js'
import type { PortalOrder, PortalOrders, PortRefused } from '../../agents/kubeProxy/userspace/orders.js'
import { reservePort, type ReservedPort } from './reservePort.js'
import { openTcpPortal, type PickEndpoint, type PortalSocket } from './tcpPortal.js'
import { openUdpPortal } from './udpPortal.js'

/** The sockets of all portals of a node, and their balancers. */
export interface ServedPortals {
  /** Opens and closes portals; returns the ports that could not be bound. */
  replace(orders: PortalOrders): Promise<readonly PortRefused[]>
  /** The current portals, by family. */
  list(): readonly PortalOrders[]
}

/** Sockets by purpose, portal, address and port. */
type Sockets = Map<string, PortalSocket | ReservedPort>

/** Starts without portals. */
export function createPortals(options: BalancerOptions): ServedPortals {
  const latest = new Map<string, PortalOrders>()
  const balancers = new Map<string, Balancer>()
  const held = new Map<string, Sockets>()

  async function replace(orders: PortalOrders): Promise<readonly PortRefused[]> {
    const { family, portals } = orders
    const balancer = balancers.get(family) ?? new Balancer(options)
    balancers.set(family, balancer)
    const keys = new Set(portals.map(({ key }) => key))
    for (const { key } of latest.get(family)?.portals ?? []) if (!keys.has(key)) balancer.removePort(key)
    for (const portal of portals) {
      balancer.addPort(portal)
      balancer.setEndpoints(portal.key, portal.endpoints)
    }
    balancer.dropExpired()
    latest.set(family, orders)
    const sockets = held.get(family) ?? (new Map() as Sockets)
    held.set(family, sockets)
    return adjust(sockets, portals, balancer)
  }

  return { replace, list: () => [...latest.values()] }
}

/** Closes sockets that are no longer wanted first: their ports may be needed again. */
async function adjust(
  sockets: Sockets,
  portals: readonly PortalOrder[],
  balancer: Balancer,
): Promise<readonly PortRefused[]> {
  const wanted = portals.flatMap((portal) => [
    { portal, what: 'proxy port' as const, at: portal.listen },
    ...portal.reservations.map((at) => ({ portal, what: 'reservation' as const, at })),
  ])
  const nameOf = ({ portal, what, at }: (typeof wanted)[number]) =>
    `${what} ${portal.key} ${at.address} ${at.port}`
  const names = new Set(wanted.map(nameOf))
  for (const [name, socket] of sockets) {
    if (names.has(name)) continue
    sockets.delete(name)
    socket.close()
  }
  const refused: PortRefused[] = []
  await Promise.all(
    wanted.map(async (one) => {
      const { portal, what, at } = one
      const name = nameOf(one)
      if (sockets.has(name)) return
      try {
        sockets.set(
          name,
          await (what === 'reservation' ? reservePort(portal.protocol, at) : openPortal(portal, balancer)),
        )
      } catch (error) {
        const { code = 'unknown' } = error as NodeJS.ErrnoException
        refused.push({ key: portal.key, what, ...at, code })
      }
    }),
  )
  return refused
}

function openPortal({ key, protocol, listen }: PortalOrder, balancer: Balancer): Promise<PortalSocket> {
  const pick: PickEndpoint = (client, failed) => balancer.next(key, client, { forget: failed })
  const open = protocol === 'udp' ? openUdpPortal : openTcpPortal
  return open(listen.address, listen.port, pick)
}
