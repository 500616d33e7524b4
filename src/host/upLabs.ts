import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, IpFamily } from '../cluster/types.js'
import type { KubeProxyConfiguration } from '../proxy/config.js'
import type { TopologyView } from '../reporters/events.js'
import { outerProcess } from './processTree.js'
import type { Sandbox } from './sandbox.js'
import { sandboxMark } from './sandboxInit.js'

/** Where a lab that is up says what it is: inside its own sandbox, so that the file goes when the lab goes. */
const statePath = '/run/vethlab/lab.json'

/** What its kube-proxies were told; a file of its own, for it may be large and few ask for it. */
const proxyStatePath = '/run/vethlab/proxy.json'

/** Labels of sandboxes that `up` and `--keep` hold. */
const upPrefix = 'up:'

/** How long a lab may take to go away by itself. */
const patienceMs = 10_000
const lookEveryMs = 5

/** What a lab that is up says of itself. */
export interface UpState {
  readonly lab: string
  readonly title: string
  /** Absolute path of the lab's folder. */
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Pid of the process that holds the lab. */
  readonly holder: number
  readonly rootless: boolean
  readonly view: TopologyView
  readonly places: readonly UpPlace[]
}

export interface UpPlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly namespace?: string | undefined
  readonly netns: string
}

/** What decides the rules on the nodes of a lab that is up. */
export interface UpProxyState {
  readonly cluster: Pick<Cluster, 'nodes' | 'services' | 'endpointSlices'>
  readonly config: KubeProxyConfiguration
  /** Those of nodes whose kube-proxy was started anew with another. */
  readonly changedConfigs: Readonly<Record<string, KubeProxyConfiguration>>
  /** False where no kube-proxy runs. */
  readonly kubeProxy: boolean
  readonly families: readonly IpFamily[]
  readonly nfacct: boolean
  readonly randomFully: boolean
  readonly backend: 'nft' | 'legacy'
}

/** A lab that is up, found among the processes of this machine. */
export interface UpLab extends UpState {
  /** Pid of the sandbox's first process. */
  readonly pid: number
}

/** The sandbox label of a lab that stays. */
export function upLabel(lab: string): string {
  return upPrefix + lab
}

/** Leaves word, inside the sandbox, of what is up there. */
export async function writeState(sandbox: Sandbox, state: UpState): Promise<void> {
  await replaceFile(sandbox.path(statePath), JSON.stringify(state))
}

/** Leaves word, inside the sandbox, of what decides the rules on its nodes. */
export async function writeProxyState(sandbox: Sandbox, state: UpProxyState): Promise<void> {
  await replaceFile(sandbox.path(proxyStatePath), JSON.stringify(state))
}

/** Whoever reads meanwhile finds the old text or the new one, whole. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** What decides the rules on the nodes of a lab that is up. */
export function readProxyState({ pid }: UpLab): UpProxyState {
  return JSON.parse(readFileSync(`/proc/${pid}/root${proxyStatePath}`, 'utf8')) as UpProxyState
}

/** The labs of this user that are up, oldest first; they are found by their processes, so none is ever stale. */
export function findUpLabs(): UpLab[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => readUpLab(Number(entry)) ?? [])
    .sort((a, b) => a.startedAt - b.startedAt)
}

/** Ends a lab: its holder is asked first and ended then; resolves when the sandbox is gone. */
export async function takeDown(lab: UpLab): Promise<void> {
  signal(lab.holder, 'SIGTERM')
  if (await gone(lab)) return
  signal(lab.holder, 'SIGKILL')
  signal(lab.pid, 'SIGKILL')
  await gone(lab)
}

async function gone(lab: UpLab): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  // the sandbox's processes end one by one after its first; the holder waits for all of them, and ends then
  while (readUpLab(lab.pid)?.startedAt === lab.startedAt || isHeld(lab)) {
    if (Date.now() > deadline) return false
    await delay(lookEveryMs)
  }
  return true
}

/** Whether the holder lives; the pid may be another process's by now, and a dead one has no command line. */
function isHeld({ holder, lab }: UpLab): boolean {
  try {
    const words = readFileSync(`/proc/${holder}/cmdline`, 'utf8').split('\0')
    return words.includes('hold') && words.includes(lab)
  } catch {
    return false
  }
}

function readUpLab(pid: number): UpLab | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const mark = words.indexOf(sandboxMark)
    if (mark === -1 || words[mark + 1]?.startsWith(upPrefix) !== true || !isFirstProcess(pid))
      return undefined
    // the sandbox's own processes have ids that are the sandbox's; what holds it has the user's
    if (statSync(`/proc/${outerProcess(pid)}`).uid !== process.getuid?.()) return undefined
    const state = JSON.parse(readFileSync(`/proc/${pid}/root${statePath}`, 'utf8')) as UpState
    return { ...state, pid }
  } catch {
    // it ended, is another user's, or is not up yet
    return undefined
  }
}

/** True for the process that is 1 in its own PID namespace: unshare itself carries the same words. */
function isFirstProcess(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return /^NSpid:.*\s1$/m.test(status)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // it has ended
  }
}
