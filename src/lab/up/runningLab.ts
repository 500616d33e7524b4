import { release } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { clusterObjects } from '../../apiserver/clusterObjects.js'
import { withStartEvents } from '../../cluster/events/withEvents.js'
import { isKnownError, SandboxError } from '../../errors.js'
import { captureFile, writeCaptureFile } from '../../host/capture/captureFile.js'
import type { ContainerProcess } from '../../host/kubelet/types.js'
import type { ApiProcess } from '../../host/kubeProxy/apiProcess.js'
import type { RunningKubeProxies } from '../../host/kubeProxy/startKubeProxies.js'
import type { Machine } from '../../host/machine.js'
import type { CommandOptions } from '../../host/sandbox/commandOptions.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { CommandResult } from '../../host/sandbox/commandResult.js'
import type { Place } from '../../topology/types.js'
import type { Captures } from './captures.js'
import { startBalancer } from '../balancers/index.js'
import { followHostPorts } from '../live/followHostPorts.js'
import { followPolicies } from '../live/followPolicies.js'
import { dnsAround } from '../dns/dnsLaunch.js'
import { followDns } from '../dns/followDns.js'
import { pcapngOf } from '../pcap/pcapngOf.js'
import type { Journal } from '../pcap/journal.js'
import type { IngressProxies } from '../ingress/ingressProxies.js'
import { isProxyOf } from '../ingress/proxyPlaces.js'
import { startLiveCluster } from '../live/liveCluster.js'
import type { Follower, LiveCluster } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { LabModel } from '../../snapshot/model/snapshot.js'
import { apiWrite } from '../live/liveWrites.js'
import { createObserver, type ObserveOptions } from '../steps/observe.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import { hasProcesses } from '../plan/planLab.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { foreignProxies, type ForeignProxies } from './foreignProxies.js'
import { labContainers } from './labContainers.js'
import { showStates } from './shownStates.js'
import { startProxiers, type Proxiers } from './proxiers.js'
import { keepsPackets, type StartOptions } from './startOptions.js'
import type { Action } from '../../results/request.js'
import type { Observation } from '../observation.js'

/** A running lab. */
export interface RunningLab {
  /** The lab as it was started. */
  readonly prepared: PreparedLab
  readonly machine: Machine
  readonly sandbox: Sandbox
  /** The Kubernetes API of the lab, if it is served. */
  readonly api: ApiProcess | undefined
  /** The built-in kube-proxies; undefined where the nodes run a custom one or none. */
  readonly proxiers: Proxiers | undefined
  /** The lab as it is now, and what changes it. */
  readonly live: LiveCluster
  /** The objects and places now, and who writes the rules of nodes. */
  model(): LabModel
  /** Longest that a request waits, even if its step sets more; infinite except for `mutate`. */
  readonly patienceSeconds: number
  /** Runs a command in a place's namespace, whatever its exit code. */
  exec(place: Place, argv: readonly string[], options?: Omit<CommandOptions, 'netns'>): Promise<CommandResult>
  /** Runs an action and records what the options need. */
  observe(place: Place, action: Action, repeat: number, options: ObserveOptions): Promise<Observation>
  /** Does work while packets are captured, even in a lab that was started without captures. */
  captured<Result>(work: () => Promise<Result>): Promise<Result>
  /** To be called when anything except a step's action may have changed the counters. */
  disturbed(): void
  /** The packets that were captured until now belong to no step. */
  forgetPackets(): Promise<void>
  /** To be called when a step begins: captured packets get its name. */
  beginStep(name: string): void
}

/** A running lab, for the scope that stops it. */
export interface OwnLab extends RunningLab {
  /** Writes the captures if that was requested; the rest ends with the sandbox. */
  stop(): Promise<void>
}

/** What the plan of a lab has built. */
export interface BuiltParts {
  readonly sandbox: Sandbox
  readonly machine: Machine
  readonly captures: Captures
  readonly api: ApiProcess | undefined
  /** When it started, as its objects show. */
  readonly since: Date
  readonly proxies: RunningKubeProxies | undefined
  readonly containers: ReadonlyMap<string, ReadonlyMap<string, ContainerProcess>>
  /** Lets the proxies of ingress controllers follow the cluster. */
  readonly ingress: IngressProxies
}

/** Makes a running lab from the parts that the plan built; from here on it follows its cluster. */
export async function createRunningLab(
  prepared: PreparedLab,
  {
    pcap,
    pcapAll = false,
    onPackets,
    signal,
    healthz = false,
    withheld,
    patienceSeconds = Infinity,
    kubeProxyPatienceMs,
    onWait,
  }: StartOptions,
  { sandbox, machine, captures, api, since, proxies, containers, ingress }: BuiltParts,
): Promise<OwnLab> {
  const { kubeProxy, topology } = prepared
  const quiet = !hasProcesses(prepared) && !hasProbes(prepared)
  const mode = modeOnNodes(kubeProxy)
  const isProxy = isProxyOf(prepared.lab)
  const ingressProxies = () => {
    const { pods, clients } = live.state().topology
    return new Set([...clients, ...pods].filter(isProxy).map(({ netns }) => netns))
  }
  const journal: Journal = { steps: [], requested: [] }
  const whole = keepsPackets({ pcap, onPackets })
  const observer = createObserver({
    ...(!whole ? {} : { onRequested: (requested) => void journal.requested.push(...requested) }),
    sandbox,
    machine,
    topology,
    captures,
    quiet,
    mode,
    proxies: ingressProxies,
    patienceSeconds,
  })
  const proxiers =
    kubeProxy.kind === 'built-in'
      ? // a sync resets counters to zero
        startProxiers({
          prepared,
          kubeProxy,
          sandbox,
          machine,
          healthz,
          withheld,
          onSync: () => observer.disturbed(),
        })
      : undefined
  const foreign =
    kubeProxy.kind === 'binary' && proxies !== undefined
      ? foreignProxies(prepared, kubeProxy, proxies, { kubeProxyPatienceMs })
      : undefined
  const restarting = proxiers ?? foreign
  const balancer = await startBalancer(sandbox, machine, prepared, mode)
  const shown = showStates(api, prepared.cluster)
  const show = ({ cluster }: LabState) =>
    shown.show(cluster, [...clusterObjects(cluster, { kernel: release(), since }), ...ingress.events()])
  const live = await startLiveCluster({
    sandbox,
    captures,
    restartKubeProxy: restarting && ((node) => restarting.restart(node)),
    started: containers,
    onWait,
    initial: { ...prepared, cluster: withStartEvents(prepared.cluster, since.toISOString()) },
    nginx: machine.nginx,
    around: prepared.dns?.around,
    clusterOptions: prepared.clusterOptions,
    followers: [
      ...followersOf({ proxiers, foreign }, balancer, ingress, show),
      (state) => Promise.resolve(api?.showContainers(labContainers(state))),
      followHostPorts(sandbox, machine.iptables, prepared),
      followPolicies({ sandbox, iptables: machine.iptables, mode, withheld }, prepared),
      ...(prepared.dns === undefined
        ? []
        : [followDns(sandbox, prepared, dnsAround(prepared, prepared.dns))]),
    ],
  })
  if (ingress.events().length > 0) show(live.state())
  api?.showContainers(labContainers(live.state()))
  api?.serveWrites(async (write, state) => {
    const seen = shown.clusterAt(state)
    return seen === undefined ? { stale: true } : apiWrite(live, write, seen)
  })
  // requests of kube-proxies to the API, and probes of pods and nodes, belong to no step
  if (proxies !== undefined || hasProbes(prepared) || prepared.cluster.loadBalancer?.mode === 'proxy')
    await captures.take()
  return {
    prepared,
    machine,
    sandbox,
    api,
    proxiers,
    live,
    model: () => ({
      ...{ ...prepared, ...live.state() },
      kubeProxy:
        kubeProxy.kind === 'none' ? kubeProxy : { ...kubeProxy, ownConfigs: restarting?.changedConfigs() },
    }),
    patienceSeconds,
    async exec({ netns, hostname }, argv, options = {}) {
      observer.disturbed()
      return sandbox.run(argv, { ...options, netns, files: netns, hostname })
    },
    captured: (work) => captures.during(live.state().topology, work),
    disturbed: () => observer.disturbed(),
    forgetPackets: async () => void (await captures.take()),
    beginStep: (name) => void journal.steps.push({ name, start: Date.now() / 1000 }),
    async observe(place, action, repeat, needs) {
      // a kube-proxy syncs at any time, and probes run periodically
      if (proxies !== undefined || hasProbes(live.state())) observer.disturbed()
      const last = needs.last === true && !whole
      const seen = await observer
        .observe(place, action, repeat, { ...needs, last })
        .catch((thrown: unknown) => {
          throw orSandboxGone(sandbox, thrown)
        })
      signal?.throwIfAborted()
      await proxies?.check()
      proxiers?.checkProcesses()
      return seen
    },
    async stop() {
      live.stop()
      proxiers?.stop()
      if (!whole || signal?.aborted === true) return
      const options = { journal, proxies: ingressProxies(), every: pcapAll }
      const blocks = pcapngOf(await captures.all(), options)
      onPackets?.(blocks)
      if (pcap !== undefined) writeCaptureFile(captureFile(pcap, prepared.lab.name), blocks)
    },
  }
}

/** An unknown error in a sandbox that has ended becomes a SandboxError: the end is its cause. */
export function orSandboxGone(sandbox: Sandbox, thrown: unknown): unknown {
  if (isKnownError(thrown) || sandbox.alive()) return thrown
  return new SandboxError('the sandbox ended while the lab was running', thrown)
}

function followersOf(
  { proxiers, foreign }: { readonly proxiers: Proxiers | undefined; foreign: ForeignProxies | undefined },
  balancer: Follower,
  ingress: IngressProxies,
  show: (state: LabState) => void,
): Follower[] {
  return [
    async (state) => {
      const since = Date.now()
      const reports = (await proxiers?.update(state.cluster)) ?? []
      const failed = reports.find(({ ok }) => !ok)
      if (failed !== undefined)
        throw failed.cannotRun ?? new SandboxError(`kube-proxy of ${failed.node}`, failed.error)
      await foreign?.update(state.cluster, since)
      // a load balancer sends nothing to nodes whose rules are out of date
      await balancer(state)
    },
    async (state) => {
      // kube-proxy binaries do not wait for the proxies of ingress controllers
      show(state)
      const before = ingress.events()
      await ingress.follow(state)
      if (!isDeepStrictEqual(before, ingress.events())) show(state)
    },
  ]
}

function hasProbes({ cluster }: Pick<PreparedLab, 'cluster'>): boolean {
  return cluster.pods.some(({ spec }) =>
    spec.containers.some(
      ({ readinessProbe, livenessProbe, startupProbe }) =>
        (readinessProbe ?? livenessProbe ?? startupProbe) !== undefined,
    ),
  )
}
