import type { IpFamily } from '../cluster/types.js'
import { portalsPath } from '../host/kubeProxy/cliPath.js'
import type { ProxyInput } from '../proxy/input.js'
import { portalOrders } from '../proxy/userspace/orders.js'
import { buildPortals } from '../proxy/userspace/portals.js'
import { userspaceRestore } from '../proxy/userspace/restore.js'
import { userspaceRules } from '../proxy/userspace/rules.js'
import { portalProcess, type PortalProgram } from '../topology/portalProcess.js'
import type { Topology } from '../topology/layOut.js'
import type { Stage } from '../topology/types.js'

/** The process of a node's portals: it runs where their sockets are. */
export function portalProgram(): PortalProgram {
  return [process.execPath, portalsPath()]
}

/** The rules that lead to the portals of a kube-proxy that starts, for iptables-restore. */
export function portalRules(input: ProxyInput, family: IpFamily): string {
  const { portals, place } = buildPortals(input, family)
  return userspaceRestore(userspaceRules(portals, place))
}

/** One process on each node, with the portals of every family. */
export function planPortals(
  { nodes, families }: Pick<Topology, 'nodes' | 'families'>,
  input: (node: string) => ProxyInput,
): Stage {
  const planned = nodes.map((node) => {
    const orders = families.map((family) => portalOrders(family, buildPortals(input(node.name), family)))
    return portalProcess(node, portalProgram(), orders)
  })
  return {
    title: 'portals of the nodes',
    files: planned.map(({ file }) => file),
    commands: [],
    processes: planned.map(({ process }) => process),
  }
}
