import { namespacedName } from '../../cluster/namespacedName.js'
import { failingProbe, type FailingProbe } from '../../cluster/pods/probeForecast.js'
import { echoPorts } from '../../cluster/pods/echoPorts.js'
import { controllerOf } from '../../cluster/owners.js'
import type { Cluster, Container, DaemonSet, Pod, ReplicaSet, StatefulSet } from '../../cluster/types.js'
import { fieldProposal, type Failure } from './asked.js'
import { podField, readinessCause } from './readinessCauses.js'
import type { Cause, Proposal } from './types.js'

/** Why the pods of a Service are not ready. */
export function probeCauses(failure: Failure, pods: readonly Pod[]): Cause[] {
  const { cluster } = failure.snapshot.model
  return pods.slice(0, 1).map((pod): Cause => {
    const probe = failingProbe(pod, cluster)
    const more = pods.length === 1 ? '' : ` (${pods.length} pods)`
    if (probe === undefined) return readinessCause(failure, pod, more)
    const { container, field, handler, port } = probe
    const listens = echoPorts(pod, cluster).filter(({ protocol }) => protocol === 'TCP')
    const ports = listens.map((one) => one.port).join(', ')
    const says = `the ${field} of container ${container.name} in pod ${namespacedName(pod)} fails${more}: nothing listens on port ${port}${ports === '' ? '' : `, the pod listens on ${ports}`}`
    return {
      code: 'probe-port-unserved',
      says,
      object: podField(pod, `spec.containers[${indexOf(pod, container)}].${field}.${handler}.port`),
      proposals: listens.flatMap((one) => probeProposal(failure, pod, probe, one.port)),
    }
  })
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
  const { containers } = workload.spec.template.spec
  const index = containers.findIndex(({ name }) => name === container.name)
  const probe = containers[index]?.[field]
  if (probe === undefined) return []
  const path = ['spec', 'template', 'spec', 'containers', index, field, handler, 'port']
  const values = { before: String(port), after: String(wanted), value: wanted }
  return [fieldProposal(failure, workload, path, values)]
}

/** The Deployment, DaemonSet or StatefulSet whose template the pod has. */
function workloadOf({ snapshot }: Failure, pod: Pod): Workload | undefined {
  const { cluster } = snapshot.model
  const { namespace = 'default' } = pod.metadata
  const owner = controllerOf(pod.metadata)
  const set = (cluster.replicaSets ?? []).find(
    ({ metadata }) => metadata.name === owner?.name && (metadata.namespace ?? 'default') === namespace,
  )
  const top = (owner?.kind === 'ReplicaSet' && set ? controllerOf(set.metadata) : undefined) ?? owner
  return [
    ...cluster.deployments,
    ...(cluster.replicaSets ?? []),
    ...(cluster.daemonSets ?? []),
    ...(cluster.statefulSets ?? []),
  ].find(
    ({ kind, metadata }) =>
      kind === top?.kind && metadata.name === top.name && (metadata.namespace ?? 'default') === namespace,
  )
}

type Workload = Cluster['deployments'][number] | ReplicaSet | DaemonSet | StatefulSet
