import type { PortalOrders } from '../agents/kubeProxy/userspace/orders.js'
import type { PlannedProcess, SandboxFile } from './types.js'

const folder = '/run/vethlab/portals'

/** The command line that runs a node's portals; file, socket and pid file are added to it. */
export type PortalProgram = readonly string[]

/** The process of a kube-proxy in userspace mode, with its initial input. */
export interface PlannedPortals {
  readonly file: SandboxFile
  readonly process: PlannedProcess
  /** Written when all sockets are open. */
  readonly pidFile: string
}

/** The process that owns the portals of one node; each restarted kube-proxy has its own generation. */
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

/** The socket on which a node's portals receive changes and report their state. */
export function portalSocket(netns: string): string {
  return `${folder}/${netns}.sock`
}
