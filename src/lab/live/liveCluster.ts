import { namespacedName } from '../../cluster/namespacedName.js'
import {
  nodeReady,
  podExited,
  podFailed,
  podReady,
  podRemoved,
  podRestarted,
  podRunning,
} from '../../cluster/changes/index.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { withRecorded } from '../../cluster/events/eventLog.js'
import { backOff, byKubelet } from '../../cluster/events/podEvents.js'
import { nextDue } from '../../cluster/controllers/jobs/nextDue.js'
import { systemClock } from '../../clock.js'
import { isReady } from '../../cluster/pods/podFacts.js'
import type { Pod, Cluster } from '../../cluster/types.js'
import { InputError, isKnownError } from '../../errors.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { fabricPortName } from '../../topology/networkOf.js'
import type { Captures } from '../up/captures.js'
import { createEditQueue, type Edit } from './editQueue.js'
import { createKubelets, type KubeletsParts, type PodReports, type StartedContainers } from './kubelets.js'
import { liveWrites } from './liveWrites.js'
import { unsettledObjects } from './unsettledObjects.js'
import type { Follower, LiveCluster } from './types.js'
import type { LabState } from '../../snapshot/model/labState.js'

export interface LiveClusterParts {
  readonly sandbox: Sandbox
  readonly initial: LabState
  readonly clusterOptions: ClusterOptions
  readonly nginx: KubeletsParts['nginx']
  readonly around: KubeletsParts['around']
  readonly captures: Captures
  /** Restarts the kube-proxy of a node; undefined where the nodes run none. */
  readonly restartKubeProxy: ((node: string) => Promise<void>) | undefined
  readonly followers: readonly Follower[]
  /** The containers that the plan started. */
  readonly started: StartedContainers
  /** Called with the pods whose first probes take long. */
  readonly onWait?: ((pods: readonly string[]) => void) | undefined
}

/** How long the first probes may take before `onWait` is called. */
const waitNoticeMs = 3000

/**
 * Connects the pods of a lab to its cluster, and the cluster to its followers. Resolves when the pods that the plan started
 * have been probed and the cluster follows the results.
 */
export async function startLiveCluster(parts: LiveClusterParts): Promise<LiveCluster & { stop(): void }> {
  const { sandbox, initial, clusterOptions, nginx, around, captures, followers, started } = parts
  const { onWait } = parts
  const down = new Set<string>()
  const troubles = new Map<string, string>()
  /** Of containers that have ended, until they are up again. */
  const lastLines = new Map<string, string>()
  const waiters = new Set<() => void>()
  const moved = () => {
    for (const waiter of [...waiters]) waiter()
  }
  /** For edits that no caller waits for: the end of the sandbox is reported by other calls. */
  const report = (edit: Edit) =>
    edits.edit(edit).catch((error: unknown) => {
      if (!isKnownError(error)) throw error
      troubles.set('cluster', error.message)
    })
  const ref = ({ metadata }: Pod) => ({ kind: 'Pod', namespace: metadata.namespace, name: metadata.name })
  const now = () => new Date().toISOString()
  const reports: PodReports = {
    running: (pod) => void report((cluster) => podRunning(cluster, ref(pod), now())),
    ready(pod, ready) {
      // the kubelet of a disconnected node cannot report
      if (!down.has(pod.spec.nodeName ?? ''))
        void report((cluster) => podReady(cluster, ref(pod), ready, now()))
    },
    event: (pod, container, event) =>
      void report((cluster) => withRecorded({ ...cluster, now: now() }, [byKubelet(pod, container, event)])),
    exited(pod, container, { startedAt, finishedAt, lastLine, ...end }) {
      lastLines.set(containerKey(pod, container), lastLine)
      const ended = { ...end, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() }
      void report((cluster) => podExited(cluster, ref(pod), container, ended))
      if ((end.backOffSeconds ?? 0) > 0) reports.event(pod, container, backOff(pod, container))
    },
    restarted: (pod, container) =>
      void report((cluster) => podRestarted(cluster, ref(pod), container, now())),
    up: (pod, container) => void lastLines.delete(containerKey(pod, container)),
    finished: (pod, phase) => void report((cluster) => podFailed(cluster, ref(pod), phase)),
    ended: (pod) => void report((cluster) => podRemoved(cluster, ref(pod))),
    trouble(pod, message) {
      troubles.set(namespacedName(pod), message)
      moved()
    },
    moved,
  }
  const { families } = initial.topology
  const kubelets = createKubelets({ sandbox, nginx, families, captures, reports, around })
  const edits = createEditQueue({
    initial,
    topologyOf: (next, before) => kubelets.follow(next, before),
    followers: [(state) => kubelets.serve(state), ...followers],
    idle: moved,
  })
  edits.onState(moved)
  let due: () => void = () => undefined
  edits.onState(({ cluster }) => {
    due()
    const wait = nextDue(cluster)
    due =
      wait === undefined
        ? () => undefined
        : systemClock.after(wait, () => void report((next) => ({ ...next })))
  })

  const unsettled = () => {
    const { cluster } = edits.state()
    const isReported = (pod: Pod) =>
      down.has(pod.spec.nodeName ?? '') || kubelets.isReady(pod) === isReady(pod)
    const objects = unsettledObjects(cluster, (pod) => kubelets.isProbed(pod) && isReported(pod))
    if (objects.length === 0 && edits.busy()) return ['the rules of nodes do not follow the last change yet']
    if (objects.length === 0 && kubelets.isBusy()) return ['networks of removed pods are being deleted']
    return objects.map((line) => {
      const trouble = [...troubles].find(([pod]) => line.startsWith(`pod ${pod} `))
      return trouble === undefined ? line : `${line}: ${trouble[1]}`
    })
  }

  function nodePlace(name: string) {
    const node = initial.topology.nodes.find((one) => one.name === name)
    if (node === undefined) throw new InputError([{ message: `there is no node named "${name}"` }])
    return node
  }

  const noticed = systemClock.after(waitNoticeMs, () =>
    onWait?.(initial.cluster.pods.filter((pod) => !kubelets.isProbed(pod)).map(namespacedName)),
  )
  await kubelets.adopt(initial, started).finally(noticed)
  // edits with the results of the probes are queued: an empty edit waits for them
  await edits.edit((cluster) => cluster)
  return {
    state: () => edits.state(),
    failedContainers: () => failedContainers(edits.state().cluster, lastLines),
    follow: (follower) => edits.follow(follower),
    onState: (listener) => edits.onState(listener),
    ...liveWrites(edits, clusterOptions),
    async settled(timeoutMs) {
      const deadline = performance.now() + timeoutMs
      for (;;) {
        const left = unsettled()
        const remaining = deadline - performance.now()
        if (left.length === 0 || remaining <= 0) return left
        await new Promise<void>((resolve) => {
          const end = () => {
            clearTimeout(timer)
            waiters.delete(end)
            resolve()
          }
          const timer = setTimeout(end, remaining).unref()
          waiters.add(end)
        })
      }
    },
    async setNode(name, state) {
      const place = nodePlace(name)
      await sandbox.must(`taking node ${name} ${state === 'up' ? 'back' : 'off the fabric'}`, [
        ...['ip', 'link', 'set', 'dev', fabricPortName(place), state],
      ])
      if (state === 'down') down.add(name)
      else down.delete(name)
      await edits.edit((cluster) => {
        const noted = nodeReady(cluster, name, state === 'up')
        if (state === 'down') return noted
        // its kubelet reports the state of its pods again
        return noted.pods
          .filter((pod) => pod.spec.nodeName === name)
          .reduce((next, pod) => podReady(next, ref(pod), kubelets.isReady(pod), now()), noted)
      })
    },
    async restartKubeProxy(name) {
      nodePlace(name)
      if (parts.restartKubeProxy === undefined)
        throw new InputError([{ message: `no kube-proxy runs on ${name}` }])
      await parts.restartKubeProxy(name)
      // notifies the state writer of the new configuration
      await edits.edit((cluster) => ({ ...cluster }))
    },
    stop() {
      due()
      kubelets.stop()
      waiters.clear()
    },
  }
}

/** A container of a pod, as a key. */
function containerKey({ metadata }: Pod, container: string): string {
  return `${namespacedName({ metadata })} ${container}`
}

/**
 * Containers that have failed and are not up again, one line each. `lastLines` has those that have ended, also if they run again and
 * are not up yet: the last line of their output, by key.
 */
function failedContainers({ pods }: Cluster, lastLines: ReadonlyMap<string, string>): string[] {
  return pods.flatMap((one) => {
    const { metadata, status } = one
    return (status?.containerStatuses ?? []).flatMap(({ name, state, lastState, restartCount }) => {
      const lastLine = lastLines.get(containerKey(one, name))
      const isUp = state?.waiting === undefined && lastLine === undefined
      const ended = state?.terminated ?? (isUp ? undefined : lastState?.terminated)
      if (ended === undefined || ended.exitCode === 0) return []
      const pod = namespacedName({ metadata })
      const restarts = restartCount === 0 ? '' : `, ${restartCount} restart${restartCount === 1 ? '' : 's'}`
      const code = ended.exitCode === 127 ? '127: a command was not found' : String(ended.exitCode)
      return [
        `pod ${pod} is not ready: container ${name} ended with exit code ${code} (${state?.waiting?.reason ?? ended.reason}${restarts})` +
          (lastLine === undefined || lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`),
      ]
    })
  })
}
