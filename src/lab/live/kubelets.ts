import { namespacedName } from '../../cluster/namespacedName.js'
import type { NamesAround } from '../../cluster/dns/podFiles.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster, Pod } from '../../cluster/types.js'
import { isEchoContainer } from '../../cluster/pods/containerCommand.js'
import { isEnded, isEnding } from '../../cluster/pods/endPods.js'
import { isProbeRun } from '../../cluster/pods/probes.js'
import { missingForPod } from '../../cluster/pods/podNeeds.js'
import { servingContainers } from '../../cluster/pods/podFacts.js'
import { isKnownError } from '../../errors.js'
import { createEchoServers } from '../../host/kubelet/echoServers.js'
import { startPodWorker, type PodWorker } from '../../host/kubelet/podWorker.js'
import type { ContainerProcess, KubeletReports, StartedPod } from '../../host/kubelet/types.js'
import { runStages } from '../../host/sandbox/runPlan.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { NginxPaths } from '../../topology/echoServer.js'
import { followPods, hasVeth, placeKey } from '../../topology/followPods.js'
import type { Topology, Place, Stage } from '../../topology/types.js'
import { planContainers } from '../../topology/planContainers.js'
import { planGonePods, planNewPods } from '../../topology/planPods.js'
import type { Captures } from '../up/captures.js'
import { commandContainers, planFiles, planGoneFiles } from '../../topology/placeFiles.js'
import { echoPods } from '../../topology/planEchoServers.js'
import { podPlaces } from '../../topology/followPods.js'
import { restoreFiles } from './restoreFiles.js'
import type { LabState } from '../../snapshot/model/labState.js'

/** The processes of containers that a plan started, by pod and container name. */
export type StartedContainers = ReadonlyMap<string, ReadonlyMap<string, ContainerProcess>>

/** What is reported about the pods of a lab. */
export interface PodReports extends KubeletReports {
  /** Its network exists and its processes run. */
  running(pod: Pod): void
  /** An operation failed; the message names the pod. */
  trouble(pod: Pod, message: string): void
  /** A condition that others wait for may be true now. */
  moved(): void
}

export interface KubeletsParts {
  readonly sandbox: Sandbox
  readonly nginx: NginxPaths
  readonly families: readonly IpFamily[]
  readonly captures: Captures
  readonly reports: PodReports
  /** What /etc/resolv.conf contains, if the cluster has a DNS. */
  readonly around: NamesAround | undefined
}

/** What kubelet and the CNI plugin do on every node of a running lab. */
export interface Kubelets {
  /** Takes over the pods that the plan started; resolves when each probe has run once. */
  adopt(state: LabState, started: StartedContainers): Promise<void>
  /** The topology with the pods of the next cluster; begins to start new pods and to end deleted ones. */
  follow(next: Cluster, before: LabState): Topology
  /** Makes echo servers listen on the target ports of Services; an opened port stays open. */
  serve(state: LabState): Promise<void>
  /** False until a pod's probes have run once. */
  isProbed(pod: Pod): boolean
  isReady(pod: Pod): boolean
  /** True while networks of pods are being created or removed. */
  isBusy(): boolean
  stop(): void
}

/** Starts and ends pods. Network changes run one after the other; pods start and end in parallel. */
export function createKubelets(parts: KubeletsParts): Kubelets {
  const { sandbox, nginx, families, captures, reports, around } = parts
  const workers = new Map<string, PodWorker>()
  const probed = new Set<string>()
  const ending = new Map<string, number>()
  /** Pods that could not be started. */
  const failed = new Set<string>()
  /** Pods that wait for ConfigMaps or Secrets: they are not started yet. */
  let waiting: readonly Place[] = []
  const echoes = createEchoServers({ sandbox, nginx, families })
  let network: Promise<void> = Promise.resolve()
  let [turn, busy] = [0, 0]
  let served: Cluster['services'] | undefined

  function work(startedPod: StartedPod, atOnce: boolean): Promise<void> {
    const { place } = startedPod
    const key = namespacedName(startedPod.pod)
    const run = (argv: readonly string[], timeoutMs: number) =>
      sandbox.run(argv, { netns: place.netns, files: place.netns, timeoutMs })
    const worker = startPodWorker({ sandbox, startedPod, run, reports, atOnce })
    workers.set(key, worker)
    return worker.firstProbes.then(() => {
      probed.add(key)
      reports.moved()
    })
  }

  function startedPod(pod: Pod, place: Place, state: LabState, started: StartedContainers): StartedPod {
    return {
      pod,
      place,
      nodeNetns: state.topology.nodes.find(({ name }) => name === place.node)?.netns ?? '',
      echo: isEchoPod(pod, state.cluster) ? echoes.of(place) : undefined,
      containers: started.get(namespacedName(pod)) ?? new Map<string, ContainerProcess>(),
      restoreFiles: () => restoreFiles(sandbox, state.cluster, place, around),
      isProbeRun: (container, probe) => isProbeRun(pod, container, probe, state.cluster),
    }
  }

  function queued(stages: (turn: number) => readonly Stage[]): Promise<void> {
    busy++
    const mine = network.then(() => runStages(sandbox, stages(++turn)))
    network = mine
      .catch(() => undefined)
      .then(() => {
        busy--
        reports.moved()
      })
    return mine
  }

  async function start(places: readonly Place[], state: LabState): Promise<void> {
    const pods = podPlaces(state.cluster, places)
    const troubled = (error: unknown, some: typeof pods) => {
      if (!isKnownError(error)) throw error
      for (const { pod } of some) {
        failed.add(namespacedName(pod))
        reports.trouble(pod, error.message)
        if (ending.has(namespacedName(pod))) reports.ended(pod)
      }
    }
    const own = places.filter(hasVeth)
    try {
      await queued((mine) => [
        ...(own.length === 0 ? [] : planNewPods(own, state.topology, mine)),
        planFiles(state.cluster, places, around),
      ])
      await captures.add(own)
      await echoes.start(echoPods(state.cluster, places))
    } catch (error) {
      troubled(error, pods)
      return
    }
    await Promise.all(
      pods.map(async (one) => {
        try {
          const containers = await startContainers(state.cluster, one.place)
          reports.running(one.pod)
          // a pod that was deleted while it started ends now
          const grace = ending.get(namespacedName(one.pod))
          void work(
            startedPod(one.pod, one.place, state, new Map([[namespacedName(one.pod), containers]])),
            false,
          )
          if (grace !== undefined) await workers.get(namespacedName(one.pod))?.end(grace)
        } catch (error) {
          troubled(error, [one])
        }
      }),
    )
  }

  /** Starts the pods whose ConfigMaps and Secrets exist; the others wait, and what they wait for is reported. */
  function startReady(places: readonly Place[], state: LabState): void {
    const pods = new Map(podPlaces(state.cluster, places).map(({ pod, place }) => [place, pod]))
    const isMissingData = (place: Place) => {
      const pod = pods.get(place)
      const [first] = pod === undefined ? [] : missingForPod(pod, state.cluster)
      if (pod !== undefined && first !== undefined) reports.trouble(pod, first.message)
      return first !== undefined
    }
    waiting = places.filter(isMissingData)
    const ready = places.filter((place) => !waiting.includes(place))
    if (ready.length > 0) void start(ready, state)
  }

  async function startContainers(cluster: Cluster, place: Place): Promise<Map<string, ContainerProcess>> {
    const containers = commandContainers(cluster, [place])
    const started = new Map<string, ContainerProcess>()
    if (containers.length === 0) return started
    await runStages(sandbox, [planContainers(containers)], (planned, running) => {
      if (planned.container !== undefined) started.set(planned.container.name, { planned, running })
    })
    return started
  }

  function end(pod: Pod): void {
    const key = namespacedName(pod)
    const seconds = pod.metadata.deletionGracePeriodSeconds ?? 30
    if ((ending.get(key) ?? Infinity) <= seconds) return
    ending.set(key, seconds)
    const isWaiting = waiting.some((place) => placeKey(place) === key)
    if (failed.has(key) || isWaiting) reports.ended(pod)
    else void workers.get(key)?.end(seconds)
  }

  function remove(places: readonly Place[], { cluster, topology }: LabState): void {
    for (const place of places) {
      const key = placeKey(place)
      workers.get(key)?.stop()
      for (const known of [workers, probed, ending, failed]) known.delete(key)
      echoes.forget(place)
    }
    const begun = places.filter((place) => !waiting.includes(place))
    captures.retire(begun)
    const own = begun.filter(hasVeth)
    const hadFiles =
      begun.length > 0 && (around !== undefined || commandContainers(cluster, begun).length > 0)
    if (own.length === 0 && !hadFiles) return
    queued((mine) => [
      ...(own.length === 0 ? [] : planGonePods(own, topology, mine)),
      ...(hadFiles ? [planGoneFiles(begun)] : []),
    ]).catch((error: unknown) => {
      // the sandbox may be stopping
      if (!isKnownError(error)) throw error
    })
  }

  return {
    async adopt(state, started) {
      const { cluster, topology } = state
      const pods = podPlaces(cluster, topology.places)
      echoes.adopt(echoPods(cluster, topology.places))
      await Promise.all(pods.map(({ pod, place }) => work(startedPod(pod, place, state, started), true)))
    },
    follow(next, before) {
      const { topology, added, removed } = followPods(before.topology, next, before.cluster)
      if (removed.length > 0) remove(removed, before)
      const still = waiting.filter((place) => !removed.includes(place))
      waiting = still
      if (added.length > 0 || (still.length > 0 && dataChanged(next, before.cluster)))
        startReady([...still, ...added], { ...before, cluster: next, topology })
      for (const pod of next.pods) if (isEnding(pod) && !isEnded(pod)) end(pod)
      return topology
    },
    async serve({ cluster, topology }) {
      if (cluster.services === served) return
      served = cluster.services
      await echoes.follow(echoPods(cluster, topology.places))
    },
    isProbed: (pod) => probed.has(namespacedName(pod)),
    isBusy: () => busy > 0,
    isReady: (pod) => workers.get(namespacedName(pod))?.ready() ?? false,
    stop() {
      for (const worker of workers.values()) worker.stop()
      echoes.stop()
    },
  }
}

function dataChanged(next: Cluster, before: Cluster): boolean {
  return next.configMaps !== before.configMaps || next.secrets !== before.secrets
}

function isEchoPod(pod: Pod, cluster: Cluster): boolean {
  return servingContainers(pod).some((container) => isEchoContainer(pod, container, cluster))
}
