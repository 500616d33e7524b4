import type { IpFamily } from '../../net/ipFamily.js'
import type { Service } from '../../cluster/types.js'
import type { Language } from '../../text/language.js'
import { handlesService, servicePorts } from './servicePort.js'

const english = {
  externalName: 'type ExternalName: only a DNS name',
  headless: 'spec.clusterIP None: DNS gives clients the addresses of the pods',
  otherProxy: (label: string) => `label ${label}: handled by another proxy`,
  noClusterIP: 'spec.clusterIP is empty',
  noPorts: 'spec.ports is empty',
  noAddress: (family: IpFamily) => `no ${family} address in spec.clusterIPs`,
}

const korean: typeof english = {
  externalName: 'ExternalName 타입: DNS 이름일 뿐입니다',
  headless: 'spec.clusterIP None: DNS가 클라이언트에 파드의 주소를 알려 줍니다',
  otherProxy: (label) => `레이블 ${label}: 다른 프록시가 처리합니다`,
  noClusterIP: 'spec.clusterIP가 비어 있습니다',
  noPorts: 'spec.ports가 비어 있습니다',
  noAddress: (family) => `spec.clusterIPs에 ${family} 주소가 없습니다`,
}

/** Why a Service has no rules, by language. */
export const withoutRulesTexts: Readonly<Record<Language, typeof english>> = { en: english, ko: korean }

/** Why kube-proxy writes no rules of this family for a Service, as text; undefined if it writes some. */
export function whyWithoutRules(service: Service, family: IpFamily, language: Language): string | undefined {
  const { spec, metadata } = service
  const texts = withoutRulesTexts[language]
  if (!handlesService(service)) {
    if (spec.type === 'ExternalName') return texts.externalName
    if (spec.clusterIP === 'None') return texts.headless
    const label = 'service.kubernetes.io/service-proxy-name'
    return metadata.labels?.[label] === undefined ? texts.noClusterIP : texts.otherProxy(label)
  }
  if (servicePorts(service, family, { externalIPs: true }).length > 0) return undefined
  return (spec.ports ?? []).length === 0 ? texts.noPorts : texts.noAddress(family)
}
