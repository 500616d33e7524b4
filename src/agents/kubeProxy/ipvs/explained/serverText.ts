import type { Language } from '../../../../text/language.js'
import type { ServicePort } from '../../servicePort.js'
import type { PortServer } from '../ports.js'
import { ipvsTexts } from './texts.js'

/** How a virtual server picks a real server. */
export function pickText({ scheduler, persistence }: PortServer, language: Language): string {
  const texts = ipvsTexts[language]
  const schedulers: Readonly<Record<string, string>> = texts.schedulers
  const how = schedulers[scheduler]
  const picks = how === undefined ? texts.unknownScheduler(scheduler) : texts.picks(scheduler, how)
  return persistence === 0 ? picks : picks + texts.persistence(persistence)
}

/** The field of the Service that a virtual server is for. */
export function serverAbout(
  { address, frontend }: PortServer,
  port: ServicePort,
  language: Language,
): string {
  if (address === port.clusterIP)
    return `spec.clusterIP${policy(port.internalPolicyLocal, frontend, language)}`
  const outside = policy(port.externalPolicyLocal, frontend, language)
  if (port.externalIPs.includes(address) && frontend.port === port.port) return `spec.externalIPs${outside}`
  if (port.loadBalancerVIPs.includes(address) && frontend.port === port.port)
    return `status.loadBalancer.ingress${outside}`
  return `spec.ports[].nodePort${outside}`
}

function policy(local: boolean, { endpoints }: PortServer['frontend'], language: Language): string {
  const texts = ipvsTexts[language].policies
  if (endpoints.length === 0) return texts.rejected
  if (!local) return ''
  return endpoints.every((endpoint) => endpoint.local) ? texts.local : texts.notHere
}
