import type { IpFamily } from '../../net/ipFamily.js'
import { SandboxError } from '../../errors.js'
import type { PortalOrders, PortRefused } from '../../agents/kubeProxy/userspace/orders.js'
import {
  portalProcess,
  portalSocket,
  type PlannedPortals,
  type PortalProgram,
} from '../../topology/portalProcess.js'
import { connectInside } from '../sandbox/connectInside.js'
import { logTail } from '../kubeProxy/logTail.js'
import { filedProcess } from '../sandbox/pidFile.js'
import { startProcess } from '../sandbox/runProcesses.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { PortalAnswer, PortalQuestion } from './portalServer.js'

/** Characters of an answer; that of the largest lab is far shorter. */
const longestAnswer = 64 * 1024 * 1024

/** How long a process may take to end. */
const patienceMs = 30_000

/** The process that owns the portals of one node. */
export interface NodePortals {
  /** Opens and closes portals; returns the ports that could not be bound. Throws SandboxError. */
  replace(orders: PortalOrders): Promise<readonly PortRefused[]>
  /** The proxy port that was allocated last; a restarted process gets other ports than before. */
  readonly lastPort: Map<IpFamily, number>
  /** Ends the process with all its connections, and starts another without portals. */
  restart(): Promise<void>
  /** Throws SandboxError when the process has ended. */
  check(): void
}

/** Manages the process of a node, beginning with the one that the plan started (generation 0). */
export function nodePortalsOf(
  sandbox: Sandbox,
  node: { readonly name: string; readonly netns: string },
  program: PortalProgram,
): NodePortals {
  let generation = 0
  let planned: PlannedPortals = portalProcess(node, program, [])
  const running = () => filedProcess(sandbox, planned.pidFile)
  const ended = (cause?: unknown) =>
    new SandboxError(
      `kube-proxy of ${node.name} ended`,
      logTail(sandbox, planned.process.log) || (cause ?? 'it was killed'),
    )

  return {
    lastPort: new Map(),
    async replace(orders) {
      const answer = await askPortals(sandbox, node.netns, { replace: orders }).catch((error: unknown) => {
        throw ended(error)
      })
      return 'refused' in answer ? answer.refused : []
    },
    async restart() {
      await running().end('KILL', patienceMs)
      generation++
      planned = portalProcess(node, program, [], generation)
      await sandbox.writeFiles([planned.file])
      await startProcess(sandbox, planned.process)
    },
    check() {
      if (!running().runs()) throw ended()
    },
  }
}

/** The current portals of a node, by family. Throws SandboxError if the process has ended. */
export async function listPortals(
  sandbox: Pick<Sandbox, 'inside'>,
  netns: string,
): Promise<readonly PortalOrders[]> {
  const answer = await askPortals(sandbox, netns, { list: true }).catch((error: unknown) => {
    throw new SandboxError(`the kube-proxy in ${netns} does not answer`, error)
  })
  return 'portals' in answer ? answer.portals : []
}

function askPortals(
  sandbox: Pick<Sandbox, 'inside'>,
  netns: string,
  question: PortalQuestion,
): Promise<PortalAnswer> {
  const socket = connectInside(sandbox, portalSocket(netns))
  return new Promise<PortalAnswer>((resolve, reject) => {
    let said = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.length > longestAnswer) reject(new Error('its answer is too long'))
      else if (text.includes('\n')) {
        const answer = answerOf(said)
        if (answer === undefined) reject(new Error('its answer is invalid'))
        else resolve(answer)
      }
    })
    // a reset may be reported twice
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('it does not answer')))
    socket.write(`${JSON.stringify(question)}\n`)
  }).finally(() => socket.destroy())
}

/** Parses an answer; undefined if invalid, because a process of the lab may have replaced the socket. */
function answerOf(line: string): PortalAnswer | undefined {
  try {
    const answer = JSON.parse(line) as PortalAnswer | null
    if (answer === null || typeof answer !== 'object') return undefined
    return Array.isArray('refused' in answer ? answer.refused : answer.portals) ? answer : undefined
  } catch {
    return undefined
  }
}
