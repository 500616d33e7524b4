import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../types.js'
import { defaultPodSpec } from './pod.js'

/** The kinds that create pods from a template. */
export type Workload = Deployment | ReplicaSet | StatefulSet | DaemonSet

/** Sets the defaults of a workload (SetDefaults_Deployment and its counterparts). */
export function defaultWorkload<Kind extends Workload>(workload: Kind): Kind {
  const { template } = workload.spec
  return {
    ...workload,
    spec: {
      ...workload.spec,
      // a DaemonSet has as many pods as there are eligible nodes
      ...(workload.kind === 'DaemonSet' ? {} : { replicas: workload.spec.replicas ?? 1 }),
      template: { ...template, spec: defaultPodSpec(template.spec) },
    },
  }
}
