import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IptablesBackend } from '../host/backend.js'
import { startCapture, type RunningCapture } from '../host/capture.js'
import { requireTools } from '../host/environment.js'
import { probeMachine, type Machine } from '../host/machine.js'
import { runPlan } from '../host/runPlan.js'
import { startSandbox, type CommandOptions, type CommandResult, type Sandbox } from '../host/sandbox.js'
import { planNamespaces } from '../topology/planLinks.js'
import type { Place } from '../topology/types.js'
import { createObserver, type Upcoming } from './observe.js'
import { hasProcesses, planLab, type PlanFacts } from './planLab.js'
import type { PreparedLab } from './prepareLab.js'
import type { Action, Needs, Observation } from './types.js'

export interface StartOptions {
  readonly iptables?: IptablesBackend | undefined
  /** Keep whole packets and copy the captures to this folder when the lab ends. */
  readonly pcap?: string | undefined
  /** Capture packets at all; a lab that is only explored by hand needs none. True unless told. */
  readonly capture?: boolean | undefined
  /** Mark on the sandbox's command line, by which `ps` finds labs that are up. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** A sandbox that is on its way already; one is made otherwise. */
  readonly sandbox?: Promise<Sandbox> | undefined
}

/** A lab that is up. */
export interface StartedLab {
  readonly prepared: PreparedLab
  readonly machine: Machine
  readonly sandbox: Sandbox
  /** Runs a command in a place's namespace, whatever its exit code. */
  exec(place: Place, argv: readonly string[], options?: Omit<CommandOptions, 'netns'>): Promise<CommandResult>
  /** Carries an action out and records what the needs ask for. */
  observe(place: Place, action: Action, repeat: number, needs: Needs & Upcoming): Promise<Observation>
  /** Copies captures where that was asked for, and removes everything. */
  close(): Promise<void>
}

/** Beyond this many namespaces only nodes and clients are captured: their interfaces show the pods' packets too. */
const capturedPlaces = 40

/** Builds a prepared lab in a sandbox of its own; whatever fails, nothing remains. */
export async function startLab(prepared: PreparedLab, options: StartOptions = {}): Promise<StartedLab> {
  const capture = options.capture !== false
  requireTools(['xargs', 'sysctl', 'conntrack', 'nginx', ...(capture ? ['tcpdump'] : [])])
  const sandbox = await (options.sandbox ?? startSandbox(options.label ?? prepared.lab.name))
  const abort = () => void sandbox.close()
  options.signal?.addEventListener('abort', abort)
  try {
    options.signal?.throwIfAborted()
    // the first stage asks nothing of the machine: it runs while the machine is asked
    const [machine] = await Promise.all([
      probeMachine(sandbox, options.iptables),
      runPlan(sandbox, { stages: [planNamespaces(prepared.topology)] }),
    ])
    const { stages } = planLab(prepared, planFacts(machine))
    const [captures] = await Promise.all([
      capture ? startCaptures(sandbox, prepared, options.pcap !== undefined) : [],
      runPlan(sandbox, { stages: stages.slice(1) }),
    ])
    return makeStarted(prepared, options, { sandbox, machine, captures, abort })
  } catch (error) {
    options.signal?.removeEventListener('abort', abort)
    await sandbox.close()
    options.signal?.throwIfAborted()
    throw error
  }
}

function planFacts({ iptables, nginx, nfacct }: Machine): PlanFacts {
  const restore = { IPv4: iptables.program('IPv4', 'restore'), IPv6: iptables.program('IPv6', 'restore') }
  return { restore, nginx, nfacct, randomFully: iptables.randomFully }
}

interface Parts {
  readonly sandbox: Sandbox
  readonly machine: Machine
  readonly captures: readonly RunningCapture[]
  readonly abort: () => void
}

function makeStarted(
  prepared: PreparedLab,
  { pcap, signal }: StartOptions,
  { sandbox, machine, captures, abort }: Parts,
): StartedLab {
  const { topology } = prepared
  const observer = createObserver({ sandbox, machine, topology, captures, quiet: !hasProcesses(prepared) })
  return {
    prepared,
    machine,
    sandbox,
    async exec(place, argv, options = {}) {
      observer.disturbed()
      return sandbox.run(argv, { ...options, netns: place.netns })
    },
    async observe(place, action, repeat, needs) {
      const seen = await observer.observe(place, action, repeat, needs)
      signal?.throwIfAborted()
      return seen
    },
    async close() {
      signal?.removeEventListener('abort', abort)
      if (pcap !== undefined && signal?.aborted !== true) await copyCaptures(captures, pcap)
      await sandbox.close()
    },
  }
}

async function startCaptures(
  sandbox: Sandbox,
  { topology }: PreparedLab,
  whole: boolean,
): Promise<RunningCapture[]> {
  await sandbox.writeFiles([{ path: '/run/vethlab/pcap/README', text: 'One capture a namespace.\n' }])
  const outer = [...topology.nodes, ...topology.clients]
  const places = outer.length + topology.pods.length <= capturedPlaces ? [...outer, ...topology.pods] : outer
  return Promise.all(places.map((place) => startCapture(sandbox, place, whole)))
}

async function copyCaptures(captures: readonly RunningCapture[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(captures.map((running) => running.copyTo(join(folder, `${running.netns}.pcap`))))
}
