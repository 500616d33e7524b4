import { existsSync } from 'node:fs'
import { hostname, release } from 'node:os'
import type { MachineView } from '../results/events.js'
import type { NginxPaths } from '../topology/echoServer.js'
import { chooseIptables, type Iptables } from './backend.js'
import type { IptablesBackend } from '../netfilter/types.js'
import { findTool } from './environment.js'
import type { Sandbox } from './sandbox/sandbox.js'

/** Properties of the host that a plan depends on. */
export interface Machine {
  readonly iptables: Iptables
  readonly nginx: NginxPaths
  /** True if kernel and tools support nfacct objects, which kube-proxy then uses for counters. */
  readonly nfacct: boolean
  readonly view: MachineView
}

const streamModules = [
  '/usr/lib/nginx/modules/ngx_stream_module.so',
  '/usr/lib64/nginx/modules/ngx_stream_module.so',
]

/** Detects the properties of the host in a temporary sandbox. */
export async function probeMachine(sandbox: Sandbox, backend?: IptablesBackend): Promise<Machine> {
  const [iptables, nfacct] = await Promise.all([chooseIptables(sandbox, backend), probeNfacct(sandbox)])
  return {
    iptables,
    nfacct,
    nginx: { streamModule: streamModule() },
    view: {
      hostname: hostname(),
      kernel: release(),
      iptables: iptables.version,
      backend: iptables.backend,
      rootless: sandbox.rootless,
    },
  }
}

/** Path of nginx's stream module, needed for UDP; undefined if it is built in. */
export function streamModule(): string | undefined {
  return streamModules.find((file) => existsSync(file))
}

async function probeNfacct(sandbox: Sandbox): Promise<boolean> {
  if (findTool('nfacct') === undefined) return false
  const { exitCode } = await sandbox.run(['nfacct', 'list'])
  return exitCode === 0
}
