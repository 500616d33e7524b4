import type { Deployment, ReplicaSet } from '../types.js'
import { defaultPodSpec } from './pod.js'

/** Sets what a Deployment or ReplicaSet leaves out (SetDefaults_Deployment, SetDefaults_ReplicaSet). */
export function defaultWorkload<Workload extends Deployment | ReplicaSet>(workload: Workload): Workload {
  const { template } = workload.spec
  return {
    ...workload,
    spec: {
      ...workload.spec,
      replicas: workload.spec.replicas ?? 1,
      template: { ...template, spec: defaultPodSpec(template.spec) },
    },
  }
}
