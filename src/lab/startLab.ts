import { isKnownError, SandboxError, WriteError } from '../errors.js'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IptablesBackend } from '../host/backend.js'
import { startCapture, type RunningCapture } from '../host/capture.js'
import { requireTools } from '../host/environment.js'
import { needsSplit } from '../host/proxier/nodeTables.js'
import { probeMachine, type Machine } from '../host/machine.js'
import type { ApiProcess } from '../host/kubeProxy/apiProcess.js'
import { startKubeProxies, type RunningKubeProxies } from '../host/kubeProxy/startKubeProxies.js'
import { runPlan } from '../host/runPlan.js'
import { startSandbox, type CommandOptions, type CommandResult, type Sandbox } from '../host/sandbox.js'
import { planNamespaces } from '../topology/planLinks.js'
import type { Place } from '../topology/types.js'
import { createObserver, type ObserveOptions } from './observe.js'
import { startKubeApi } from './kubeApi.js'
import { kubeProxyReadiness, kubeProxyStage, kubeProxyTools } from './kubeProxyBinary.js'
import { hasKubeProxy, hasProcesses, planLab, proxyInput, type PlanFacts } from './planLab.js'
import type { PreparedLab } from './prepareLab.js'
import { startProxiers, type Proxiers } from './proxiers.js'
import type { Action, Observation } from './types.js'

export interface StartOptions {
  readonly iptables?: IptablesBackend | undefined
  /** Keep whole packets and copy the captures to this folder when the lab ends. */
  readonly pcap?: string | undefined
  /** Capture packets at all; a lab that is only explored by hand needs none. True unless told. */
  readonly capture?: boolean | undefined
  /** Mark on the sandbox's command line, by which `ps` finds labs that are up. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Absolute path of a kube-proxy to run on every node instead of the built-in rules; the lab's own otherwise. */
  readonly kubeProxyBinary?: string | undefined
  /** How long those may take until their rules stand, in milliseconds. */
  readonly kubeProxyPatienceMs?: number | undefined
  /** Serve the lab's objects as the Kubernetes API; done for a kube-proxy in any case. */
  readonly api?: boolean | undefined
  /** Serve kube-proxy's /healthz and /livez; done in any case once a Service has a healthCheckNodePort. */
  readonly healthz?: boolean | undefined
  /** A sandbox that is on its way already; one is made otherwise. */
  readonly sandbox?: Promise<Sandbox> | undefined
}

/** A lab that is up. */
export interface StartedLab {
  readonly prepared: PreparedLab
  readonly machine: Machine
  readonly sandbox: Sandbox
  /** The Kubernetes API of the lab, where it is served. */
  readonly api: ApiProcess | undefined
  /** The built-in kube-proxies; undefined where the nodes run one's own. */
  readonly proxiers: Proxiers | undefined
  /** Runs a command in a place's namespace, whatever its exit code. */
  exec(place: Place, argv: readonly string[], options?: Omit<CommandOptions, 'netns'>): Promise<CommandResult>
  /** Carries an action out and records what the needs ask for. */
  observe(place: Place, action: Action, repeat: number, options: ObserveOptions): Promise<Observation>
  /** Copies captures where that was asked for, and removes everything. */
  close(): Promise<void>
}

/** Beyond this many namespaces only nodes and clients are captured: their interfaces show the pods' packets too. */
const capturedPlaces = 40

/** Builds a prepared lab in a sandbox of its own; whatever fails, nothing remains. */
export async function startLab(prepared: PreparedLab, options: StartOptions = {}): Promise<StartedLab> {
  const capture = options.capture !== false
  const kubeProxies = kubeProxyStage(prepared, options.kubeProxyBinary)
  requireTools([
    ...['xargs', 'sysctl', 'conntrack', 'nginx', ...(capture ? ['tcpdump'] : [])],
    ...(kubeProxies === undefined ? [] : kubeProxyTools(prepared)),
  ])
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
    const facts = planFacts(machine, sandbox, options.healthz === true)
    const { stages } = planLab(prepared, facts, kubeProxies)
    const others = kubeProxies === undefined ? stages.length : stages.indexOf(kubeProxies)
    // links come first: what is next waits for them, while captures wait for the kernel
    const [, captures, api] = await Promise.all([
      runPlan(sandbox, { stages: stages.slice(1, others) }),
      capture ? startCaptures(sandbox, prepared, options.pcap !== undefined) : [],
      kubeProxies !== undefined || options.api === true ? startKubeApi(sandbox, prepared) : undefined,
    ])
    const proxies =
      kubeProxies &&
      (await startKubeProxies(sandbox, machine.iptables, kubeProxies, (node) =>
        kubeProxyReadiness(prepared, proxyInput(prepared, node, facts), options.kubeProxyPatienceMs),
      ))
    await runPlan(sandbox, { stages: stages.slice(others + 1) })
    // what they had to say to the API belongs to no step
    if (proxies !== undefined) await Promise.all(captures.map((running) => running.take()))
    return makeStarted(prepared, options, { sandbox, machine, captures, api, proxies, abort })
  } catch (thrown) {
    options.signal?.removeEventListener('abort', abort)
    const error = orSandboxGone(sandbox, thrown)
    await sandbox.close()
    options.signal?.throwIfAborted()
    throw error
  }
}

/** Whatever goes wrong in a sandbox that somebody has ended, that it was ended is what is wrong. */
function orSandboxGone(sandbox: Sandbox, thrown: unknown): unknown {
  if (isKnownError(thrown) || sandbox.alive()) return thrown
  return new SandboxError('the sandbox was ended in the middle', thrown)
}

function planFacts({ iptables, nginx, nfacct }: Machine, { rootless }: Sandbox, healthz: boolean): PlanFacts {
  const restore = { IPv4: iptables.program('IPv4', 'restore'), IPv6: iptables.program('IPv6', 'restore') }
  const splitRules = needsSplit(iptables, rootless)
  return { restore, nginx, nfacct, randomFully: iptables.randomFully, splitRules, healthz }
}

interface Parts {
  readonly sandbox: Sandbox
  readonly machine: Machine
  readonly captures: readonly RunningCapture[]
  readonly api: ApiProcess | undefined
  readonly proxies: RunningKubeProxies | undefined
  readonly abort: () => void
}

function makeStarted(
  prepared: PreparedLab,
  { pcap, signal, healthz = false }: StartOptions,
  { sandbox, machine, captures, api, proxies, abort }: Parts,
): StartedLab {
  const { topology } = prepared
  const observer = createObserver({ sandbox, machine, topology, captures, quiet: !hasProcesses(prepared) })
  const proxiers =
    proxies === undefined && hasKubeProxy(prepared)
      ? // a sync sets counters to nought
        startProxiers({ prepared, sandbox, machine, healthz, onSync: () => observer.disturbed() })
      : undefined
  return {
    prepared,
    machine,
    sandbox,
    api,
    proxiers,
    async exec(place, argv, options = {}) {
      observer.disturbed()
      return sandbox.run(argv, { ...options, netns: place.netns })
    },
    async observe(place, action, repeat, needs) {
      // a kube-proxy talks and syncs when it likes
      if (proxies !== undefined) observer.disturbed()
      const last = needs.last === true && pcap === undefined
      const seen = await observer
        .observe(place, action, repeat, { ...needs, last })
        .catch((thrown: unknown) => {
          throw orSandboxGone(sandbox, thrown)
        })
      signal?.throwIfAborted()
      await proxies?.check()
      return seen
    },
    async close() {
      signal?.removeEventListener('abort', abort)
      proxiers?.close()
      try {
        if (pcap !== undefined && signal?.aborted !== true) await copyCaptures(captures, pcap)
      } finally {
        await sandbox.close()
      }
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
  try {
    await mkdir(folder, { recursive: true })
    await Promise.all(captures.map((running) => running.copyTo(join(folder, `${running.netns}.pcap`))))
  } catch (error) {
    throw new WriteError(`the captures to ${folder}`, error)
  }
}
