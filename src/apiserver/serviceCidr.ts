import type { KubeObject } from '../cluster/types.js'

interface ServiceCIDR extends KubeObject {
  kind: 'ServiceCIDR'
  spec: { cidrs: string[] }
}

/** The ServiceCIDR that the API server creates from its `--service-cluster-ip-range`: one range, or one per family. */
export function serviceCIDR(cidrs: readonly string[] = ['10.96.0.0/16']): KubeObject {
  const object: ServiceCIDR = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: [...cidrs] },
  }
  const status = { conditions: [{ type: 'Ready', status: 'True', reason: '', message: '' }] }
  return Object.assign(object, { status })
}
