import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../types.js'
import { defaultPodSpec } from './pod.js'

/** The kinds that make pods from a template. */
export type Workload = Deployment | ReplicaSet | StatefulSet | DaemonSet

/** Sets what a workload leaves out (SetDefaults_Deployment and its like). */
export function defaultWorkload<Kind extends Workload>(workload: Kind): Kind {
  const { template } = workload.spec
  return {
    ...workload,
    spec: {
      ...workload.spec,
      // a DaemonSet has as many as there are nodes
      ...(workload.kind === 'DaemonSet' ? {} : { replicas: workload.spec.replicas ?? 1 }),
      template: { ...template, spec: defaultPodSpec(template.spec) },
    },
  }
}
