import type { ObjectField } from '../../agents/meaning.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { failingProbe, type FailingProbe } from '../../cluster/pods/probeForecast.js'
import { echoPorts } from '../../cluster/pods/echoPorts.js'
import { controllerOf } from '../../cluster/owners.js'
import type { Container, Pod } from '../../cluster/types.js'
import { patchProposal, serviceField, type Failure, type TargetPort } from './asked.js'
import type { Cause, Proposal } from './types.js'

/** Why the pods of a Service are not ready. */
export function probeCauses(failure: Failure, { service }: TargetPort, pods: readonly Pod[]): Cause[] {
  const { cluster } = failure.snapshot.model
  const publish = serviceField(service, 'spec.publishNotReadyAddresses')
  const published = patchProposal(
    failure,
    publish,
    { spec: { publishNotReadyAddresses: true } },
    'spec.publishNotReadyAddresses: true (sends requests to pods that are not ready)',
  )
  return pods.slice(0, 1).map((pod): Cause => {
    const probe = failingProbe(pod, cluster)
    const more = pods.length === 1 ? '' : ` (${pods.length} pods)`
    if (probe === undefined)
      return {
        code: 'pods-not-ready',
        says: `pod ${namespacedName(pod)} is not ready${more}`,
        object: podField(pod),
        proposals: [published],
      }
    const { container, field, handler, port } = probe
    const listens = echoPorts(pod, cluster).filter(({ protocol }) => protocol === 'TCP')
    const ports = listens.map((one) => one.port).join(', ')
    const says = `the ${field} of container ${container.name} in pod ${namespacedName(pod)} fails${more}: nothing listens on port ${port}${ports === '' ? '' : `, the pod listens on ${ports}`}`
    return {
      code: 'probe-port-unserved',
      says,
      object: podField(pod, `spec.containers[${indexOf(pod, container)}].${field}.${handler}.port`),
      proposals: [...listens.flatMap((one) => probeProposal(failure, pod, probe, one.port)), published],
    }
  })
}

function podField({ metadata }: Pod, field?: string): ObjectField {
  return { kind: 'Pod', namespace: metadata.namespace ?? 'default', name: metadata.name, field }
}

function indexOf({ spec }: Pod, container: Container): number {
  return spec.containers.indexOf(container)
}

/** The probe of a workload's template with another port; the probes of a pod itself cannot be changed. */
function probeProposal(
  failure: Failure,
  pod: Pod,
  { container, field, handler, port }: FailingProbe,
  wanted: number,
): Proposal[] {
  const workload = workloadOf(failure, pod)
  if (workload === undefined) return []
  const { object, containers } = workload
  const index = containers.findIndex(({ name }) => name === container.name)
  const probe = containers[index]?.[field]
  if (probe === undefined) return []
  const changed = containers.map((one, at) =>
    at === index ? { ...one, [field]: { ...probe, [handler]: { ...probe[handler], port: wanted } } } : one,
  )
  const path = `spec.template.spec.containers[${index}].${field}.${handler}.port`
  const patch = { spec: { template: { spec: { containers: changed } } } }
  const proposal = patchProposal(failure, { ...object, field: path }, patch, `${path}: ${port} → ${wanted}`)
  return [proposal]
}

/** The Deployment, DaemonSet or StatefulSet whose template the pod has. */
function workloadOf(
  { snapshot }: Failure,
  pod: Pod,
): { readonly object: ObjectField; readonly containers: readonly Container[] } | undefined {
  const { cluster } = snapshot.model
  const { namespace = 'default' } = pod.metadata
  const owner = controllerOf(pod.metadata)
  const set = (cluster.replicaSets ?? []).find(
    ({ metadata }) => metadata.name === owner?.name && (metadata.namespace ?? 'default') === namespace,
  )
  const top = (owner?.kind === 'ReplicaSet' && set ? controllerOf(set.metadata) : undefined) ?? owner
  const workload = [
    ...cluster.deployments,
    ...(cluster.replicaSets ?? []),
    ...(cluster.daemonSets ?? []),
    ...(cluster.statefulSets ?? []),
  ].find(
    ({ kind, metadata }) =>
      kind === top?.kind && metadata.name === top.name && (metadata.namespace ?? 'default') === namespace,
  )
  if (workload === undefined) return undefined
  const object = { kind: workload.kind, namespace, name: workload.metadata.name }
  return { object, containers: workload.spec.template.spec.containers }
}
