import { namespacedName } from '../../cluster/namespacedName.js'
import { unschedulableReason } from '../../cluster/controllers/scheduler.js'
import type { ContainerStatus, Pod, Probe } from '../../cluster/types.js'
import type { ObjectField } from '../../agents/meaning.js'
import { labelProposal, missingLabels, type Failure } from './asked.js'
import type { Cause } from './types.js'

/** Why a pod is not ready, if it is not the port of a probe: it has no node, a container has ended, a probe fails. */
export function readinessCause(failure: Failure, pod: Pod, more: string): Cause {
  const name = namespacedName(pod)
  const reason = unschedulableReason(pod)
  if (reason !== undefined) return unscheduled(failure, pod, `pod ${name} has no node${more}: ${reason}`)
  const statuses = pod.status?.containerStatuses ?? []
  for (const [index, container] of pod.spec.containers.entries()) {
    const status = statuses.find((one) => one.name === container.name)
    if (status?.['ready'] === true) continue
    const at = `container ${container.name} of pod ${name}${more}`
    const ended = status && endedText(status)
    if (ended !== undefined)
      return cause(pod, `${at} ${ended}`, container.command && `spec.containers[${index}].command`)
    const field = container.startupProbe === undefined ? 'readinessProbe' : 'startupProbe'
    const probe = container[field]
    if (probe !== undefined)
      return cause(
        pod,
        `the ${field} of ${at} does not succeed: ${probeText(probe)}`,
        `spec.containers[${index}].${field}`,
      )
  }
  const gate = openGate(pod)
  if (gate !== undefined)
    return cause(
      pod,
      `pod ${name} is not ready${more}: its readiness gate ${gate} is not true, which another program sets`,
      'spec.readinessGates',
    )
  return cause(pod, `pod ${name} is not ready${more}`)
}

function cause(pod: Pod, says: string, field?: string): Cause {
  return { code: 'pods-not-ready', says, object: podField(pod, field), proposals: [] }
}

/** A pod, or a field of it, as an object. */
export function podField({ metadata }: Pod, field?: string): ObjectField {
  return { kind: 'Pod', namespace: metadata.namespace ?? 'default', name: metadata.name, field }
}

function unscheduled(failure: Failure, pod: Pod, says: string): Cause {
  const { nodeSelector: wanted } = pod.spec
  const { nodes } = failure.snapshot.model.cluster
  const [nearest] = nodes
    .map((node) => ({ node, missing: missingLabels(node, wanted ?? {}) }))
    .sort((a, b) => a.missing.length - b.missing.length)
  return {
    code: 'pods-not-ready',
    says,
    object: podField(pod, wanted === undefined ? 'spec' : 'spec.nodeSelector'),
    proposals:
      nearest === undefined || nearest.missing.length === 0
        ? []
        : [labelProposal(failure.snapshot, nearest.node, nearest.missing, `pod ${pod.metadata.name}`)],
  }
}

/** How a container ended that does not run; undefined for one that does. */
function endedText({ state = {}, lastState = {}, restartCount = 0 }: ContainerStatus): string | undefined {
  const { waiting, terminated = lastState.terminated } = state
  if (waiting === undefined && state.terminated === undefined) return undefined
  const again =
    restartCount === 0 ? '' : `, after ${restartCount} ${restartCount === 1 ? 'restart' : 'restarts'}`
  if (terminated !== undefined)
    return `has ended with exit code ${terminated.exitCode}${again} (${waiting?.reason ?? terminated.reason ?? ''})`
  return `does not run: ${waiting?.reason ?? ''}${waiting?.message === undefined ? '' : `, ${waiting.message}`}`
}

/** The first condition that a pod waits for, and that is not true. */
function openGate({ spec, status }: Pod): string | undefined {
  const gates = (spec['readinessGates'] ?? []) as readonly { readonly conditionType: string }[]
  return gates.find(
    ({ conditionType }) =>
      !(status?.conditions ?? []).some(({ type, status: is }) => type === conditionType && is === 'True'),
  )?.conditionType
}

function probeText({ exec, httpGet, tcpSocket, grpc }: Probe): string {
  if (exec !== undefined) return `its command is ${(exec.command ?? []).join(' ')}`
  if (httpGet !== undefined) return `it gets ${httpGet.path ?? '/'} on port ${httpGet.port}`
  if (tcpSocket !== undefined) return `it connects to port ${tcpSocket.port}`
  return grpc === undefined ? 'it has no handler' : `it calls port ${grpc.port} with gRPC`
}
