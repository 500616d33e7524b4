import type { IpFamily } from '../../net/ipFamily.js'
import { SandboxError } from '../../errors.js'
import type { PortalOrders, PortRefused } from '../../proxy/userspace/orders.js'
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

/** The process that owns the portals of one node, as the lab speaks to it. */
export interface NodePortals {
  /** Opens and closes what the orders ask for; returns the ports that could not be had. Throws SandboxError. */
  replace(orders: PortalOrders): Promise<readonly PortRefused[]>
  /** The proxy port that was given out last; a process that is started anew gets others than the one before had. */
  readonly lastPort: Map<IpFamily, number>
  /** Ends the process, with every connection that it carries, and starts another, which serves nothing yet. */
  restart(): Promise<void>
  /** Throws SandboxError when the process has ended. */
  check(): void
}

/** Takes over the process that the lab's plan started (generation 0). */
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
      await running().signal('KILL')
      await running().ended(patienceMs)
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

/** What the process of a node serves just now, family by family. Throws SandboxError when it has ended. */
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
      if (said.length > longestAnswer) reject(new Error('its answer has no end'))
      else if (text.includes('\n')) {
        const answer = answerOf(said)
        if (answer === undefined) reject(new Error('its answer is none'))
        else resolve(answer)
      }
    })
    // a reset may be reported twice
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('it does not answer')))
    socket.write(`${JSON.stringify(question)}\n`)
  }).finally(() => socket.destroy())
}

/** What a line says; a process of the lab may have put a socket of its own in the place of the one that was asked. */
function answerOf(line: string): PortalAnswer | undefined {
  try {
    const answer = JSON.parse(line) as PortalAnswer | null
    if (answer === null || typeof answer !== 'object') return undefined
    return Array.isArray('refused' in answer ? answer.refused : answer.portals) ? answer : undefined
  } catch {
    return undefined
  }
}
