import { cidrFinalizers, readyCondition } from '../cluster/controllers/serviceCidrs.js'
import type { KubeObject, ServiceCIDR } from '../cluster/types.js'

/** The name of that ServiceCIDR. */
export const ownCidr = 'kubernetes'

/** The ServiceCIDR that the API server creates from its `--service-cluster-ip-range`: one range, or one per family. */
export function serviceCIDR(cidrs: readonly string[] = ['10.96.0.0/16']): KubeObject {
  const object: ServiceCIDR = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: ownCidr, finalizers: [...cidrFinalizers] },
    spec: { cidrs: [...cidrs] },
  }
  const status = { conditions: [readyCondition] }
  return Object.assign(object, { status })
}
