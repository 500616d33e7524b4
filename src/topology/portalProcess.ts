import type { PortalOrders } from '../proxy/userspace/orders.js'
import type { PlannedProcess, SandboxFile } from './types.js'

const folder = '/run/vethlab/portals'

/** The command line that becomes a node's portals; file, socket and pid file are added to it. */
export type PortalProgram = readonly string[]

/** The process of a kube-proxy in userspace mode, with what it reads at its start. */
export interface PlannedPortals {
  readonly file: SandboxFile
  readonly process: PlannedProcess
  /** Written when all sockets are open. */
  readonly pidFile: string
}

/** The process that owns the portals of one node; each kube-proxy that is started anew has a generation of its own. */
export function portalProcess(
  node: { readonly name: string; readonly netns: string },
  program: PortalProgram,
  orders: readonly PortalOrders[],
  generation = 0,
): PlannedPortals {
  const own = `${folder}/${node.netns}.${generation}`
  const [file, socket, pidFile] = [`${own}.json`, portalSocket(node.netns), `${own}.pid`] as const
  return {
    file: { path: file, text: `${JSON.stringify(orders, undefined, 1)}\n` },
    process: {
      what: `kube-proxy of ${node.name}, which owns the portals`,
      netns: node.netns,
      argv: [...program, '--file', file, '--socket', socket, '--pid-file', pidFile],
      env: {},
      listensOn: [],
      pidFile,
      log: `${own}.log`,
    },
    pidFile,
  }
}

/** Where a node's portals are told of changes, and tell what they are. */
export function portalSocket(netns: string): string {
  return `${folder}/${netns}.sock`
}
