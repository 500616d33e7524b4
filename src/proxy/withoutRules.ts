import type { IpFamily } from '../net/ipFamily.js'
import type { Service } from '../cluster/types.js'
import { handlesService, servicePorts } from './servicePort.js'

/** Why kube-proxy writes no rules of this family for a Service, as text; undefined if it writes some. */
export function whyWithoutRules(service: Service, family: IpFamily): string | undefined {
  const { spec, metadata } = service
  if (!handlesService(service)) {
    if (spec.type === 'ExternalName') return 'type ExternalName: only a DNS name'
    if (spec.clusterIP === 'None') return 'spec.clusterIP None: DNS gives clients the addresses of the pods'
    const label = 'service.kubernetes.io/service-proxy-name'
    if (metadata.labels?.[label] !== undefined) return `label ${label}: handled by another proxy`
    return 'spec.clusterIP is empty'
  }
  if (servicePorts(service, family, { externalIPs: true }).length > 0) return undefined
  return (spec.ports ?? []).length === 0 ? 'spec.ports is empty' : `no ${family} address in spec.clusterIPs`
}
