import { filedProcess, startDaemon } from '../../host/sandbox/pidFile.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { NginxPaths } from '../../topology/echoServer.js'
import type { Topology, Place } from '../../topology/types.js'
import {
  balancerName,
  balancerProcess,
  healthQuestions,
  proxiedAddresses,
  proxiedPorts,
  type ProxiedPort,
} from '../../topology/proxyBalancer.js'
import type { Follower } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'

/** How long a change waits until the previous process has ended. */
const longestFarewellMs = 30_000

/** Seconds that a health check of a node may take. */
const healthPatience = '0.5'

/**
 * The load balancer on its own host: it has the Services' addresses, and forwards connections to the node ports of healthy
 * nodes. Health is checked when the cluster changes. Call it once after the lab's kube-proxies have started, and after
 * they have followed each change.
 */
export function followProxy(sandbox: Sandbox, topology: Topology, nginx: NginxPaths): Follower {
  const host = topology.clients.find(({ name }) => name === balancerName)
  if (host === undefined) return () => Promise.resolve()
  let addresses: readonly string[] = []
  let served: readonly ProxiedPort[] = []
  let generation = 0
  let pidFile: string | undefined

  async function own(wanted: readonly string[]): Promise<void> {
    const lines = [
      ...addresses.filter((one) => !wanted.includes(one)).map((one) => `addr del ${onHost(one)}`),
      ...wanted
        .filter((one) => !addresses.includes(one))
        .map((one) => `addr add ${onHost(one)}${one.includes(':') ? ' nodad' : ''}`),
    ]
    if (lines.length > 0)
      await sandbox.must('addresses of the load balancer', batch, inHost(lines.join('\n')))
    addresses = wanted
  }
  const batch = ['ip', '-batch', '-']
  const inHost = (input: string) => ({ netns: host.netns, input })

  async function serve(ports: readonly ProxiedPort[]): Promise<void> {
    if (JSON.stringify(ports) === JSON.stringify(served)) return
    const old = pidFile
    pidFile = undefined
    if (ports.length > 0) {
      const process = balancerProcess(host as Place, ports, ++generation, nginx)
      await sandbox.writeFiles([process.file])
      await startDaemon(sandbox, 'starting the load balancer', process)
      pidFile = process.pidFile
    }
    served = ports
    if (old === undefined) return
    await filedProcess(sandbox, old).end('QUIT', longestFarewellMs)
  }

  return async (state) => {
    const healthy = await healthyNodes(sandbox, host, state)
    const ports = proxiedPorts(state.cluster, (node, port) => healthy.has(key(node, port)))
    await own(proxiedAddresses(state.cluster))
    await serve(ports)
  }
}

function onHost(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32} dev eth0`
}

/** The healthy nodes, each by its name and the port of the health check. */
async function healthyNodes(
  sandbox: Sandbox,
  { netns }: Place,
  { cluster }: LabState,
): Promise<ReadonlySet<string>> {
  const questions = healthQuestions(cluster)
  const answers = await Promise.all(
    questions.map(async ({ node, port, url }) => {
      const argv = ['curl', '-gsf', '-o', '/dev/null', '--max-time', healthPatience, url]
      const { exitCode } = await sandbox.run(argv, { netns, stdout: 'ignore' })
      return exitCode === 0 ? [key(node, port)] : []
    }),
  )
  return new Set(answers.flat())
}

function key(node: string, port: number): string {
  return `${node}:${port}`
}
