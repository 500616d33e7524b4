import { withAppArmorFields } from '../defaults/appArmor.js'
import { newPodWarnings } from '../warnings/pod.js'
import { ageColumn, column, nameColumn, since, wideColumn } from '../columns/column.js'
import { defaultPod } from '../defaults/pod.js'
import { podSchema } from '../schema/pod.js'
import type { Pod } from '../types.js'
import { validateNewPod, validatePod } from '../validation/pod.js'
import { validatePodUpdate } from '../validation/podUpdate.js'
import { defineKind } from './kind.js'

interface ContainerState {
  waiting?: { reason?: string }
  running?: object
  terminated?: { exitCode: number; signal?: number; reason?: string; finishedAt?: string }
}

interface ContainerStatus {
  name: string
  ready: boolean
  restartCount?: number
  state?: ContainerState
  lastState?: ContainerState
}

/** A pod with the fields that are not in the cluster types. */
type PrintedPod = Omit<Pod, 'status'> & {
  kind: 'Pod'
  status?: Omit<NonNullable<Pod['status']>, 'containerStatuses'> & {
    reason?: string
    nominatedNodeName?: string
    containerStatuses?: ContainerStatus[]
  }
}

/** Pod of core/v1; columns as printPod of Kubernetes v1.36 writes them. */
export const pod = defineKind<Pod, PrintedPod>({
  group: '',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  list: 'pods',
  schema: podSchema,
  setDefaults: defaultPod,
  validate: validatePod,
  validateCreate: validateNewPod,
  warnings: newPodWarnings,
  canonicalize: withAppArmorFields,
  validateUpdate: validatePodUpdate,
  fields: {
    'spec.nodeName': '',
    'spec.restartPolicy': 'Always',
    'spec.schedulerName': 'default-scheduler',
    'spec.serviceAccountName': 'default',
    'spec.hostNetwork': 'false',
    'status.phase': '',
    'status.podIP': '',
    'status.nominatedNodeName': '',
  },
  blank: { spec: { containers: null }, status: {} },
  columns: [
    nameColumn,
    column('Ready', 'ready containers and all containers', readyText),
    column('Status', 'what the containers are doing', statusText),
    column('Restarts', 'how often containers were restarted, and when last', restarts),
    ageColumn,
    wideColumn(
      'IP',
      'address of the pod',
      ({ status }) => status?.podIPs?.[0]?.ip ?? status?.podIP ?? '<none>',
    ),
    wideColumn('Node', 'node that the pod runs on', ({ spec }) => spec.nodeName || '<none>'),
    wideColumn(
      'Nominated Node',
      'node where preemption frees resources',
      ({ status }) => status?.nominatedNodeName || '<none>',
    ),
    wideColumn('Readiness Gates', 'additional conditions that are true, and all of them', readinessGates),
  ],
})

function readyText({ spec, status }: PrintedPod): string {
  const total = spec.containers.length + (spec.initContainers ?? []).filter(isSidecar).length
  const statuses = status?.containerStatuses
  // A lab's pod has no status per container: its Ready condition applies to all.
  const ready = statuses
    ? statuses.filter((container) => container.ready && container.state?.running).length
    : isTrue(status, 'Ready')
      ? total
      : 0
  return `${ready}/${total}`
}

function isSidecar(container: { [field: string]: unknown }): boolean {
  return container['restartPolicy'] === 'Always'
}

function isTrue(status: PrintedPod['status'], condition: string): boolean {
  return (status?.conditions ?? []).some(({ type, status }) => type === condition && status === 'True')
}

function statusText(pod: PrintedPod): string {
  const phase = pod.status?.phase ?? ''
  const reason = containerReason(pod) ?? (pod.status?.reason || phase)
  if (pod.metadata.deletionTimestamp === undefined) return reason
  if (pod.status?.reason === 'NodeLost') return 'Unknown'
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating'
}

/** The state of the first container that is not simply running; a pod with a running container is not Completed. */
function containerReason({ status }: PrintedPod): string | undefined {
  const statuses = status?.containerStatuses ?? []
  const reasons = statuses.flatMap(({ state }) => {
    if (state?.waiting?.reason) return [{ text: state.waiting.reason, failed: false }]
    const ended = state?.terminated
    if (ended === undefined) return []
    const text = ended.reason || (ended.signal ? `Signal:${ended.signal}` : `ExitCode:${ended.exitCode}`)
    return [{ text, failed: ended.exitCode !== 0 }]
  })
  const first = reasons[0]?.text
  if (first !== 'Completed') return first
  const running = statuses.some((container) => container.ready && container.state?.running)
  if (running && isTrue(status, 'Ready')) return 'Running'
  const failure = reasons.find(({ failed }) => failed)
  return failure?.text ?? (running ? 'NotReady' : first)
}

function restarts({ status }: PrintedPod, now: Date): string {
  const statuses = status?.containerStatuses ?? []
  const count = statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0)
  const last = statuses
    .map(({ lastState }) => lastState?.terminated?.finishedAt ?? '')
    .sort()
    .at(-1)
  return count > 0 && last ? `${count} (${since(last, now)} ago)` : String(count)
}

function readinessGates({ spec, status }: PrintedPod): string {
  const gates = spec['readinessGates']
  if (!Array.isArray(gates) || gates.length === 0) return '<none>'
  const open = (gates as { conditionType?: string }[]).filter((gate) =>
    isTrue(status, gate.conditionType ?? ''),
  )
  return `${open.length}/${gates.length}`
}
