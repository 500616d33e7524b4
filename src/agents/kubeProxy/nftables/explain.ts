import type { Language } from '../../../text/language.js'
import type { ServicePort } from '../servicePort.js'
import { nftChain } from './chainNames.js'
import type { NftRule } from './rule.js'
import type { ContainedElement } from './serviceTable.js'
import { nftTexts } from './texts.js'

/** Explains an nft rule in a short sentence. */
export function explainNftRule({ reason, statements, port }: NftRule, language: Language): string {
  const texts = nftTexts[language]
  switch (reason) {
    case 'jump': {
      const last = statements.at(-1)
      const target = jumps.find((name) => last === `jump ${nftChain[name]}`)
      return target === undefined ? '' : texts.jumps[target]
    }
    case 'affinity':
      return texts.affinity(port?.affinitySeconds ?? 0)
    case 'loadBalancing': {
      const [balance] = statements
      if (typeof balance !== 'object') return ''
      const all = 'endpoints' in balance ? balance.endpoints : 'chains' in balance ? balance.chains : []
      return texts.loadBalancing(all.length)
    }
    default:
      return texts[reason]
  }
}

const jumps = Object.keys(nftTexts.en.jumps) as (keyof typeof nftTexts.en.jumps)[]

/** Explains an element of a set or map, with the field of the object that requires it. */
export function explainElement(
  { container, key, value = '' }: ContainedElement,
  port: ServicePort,
  language: Language,
): string {
  const texts = nftTexts[language].elements
  switch (container) {
    case 'hairpin-connections':
      return texts.hairpin
    case 'cluster-ips':
      return texts.serviceAddress
    case 'no-endpoint-services':
    case 'no-endpoint-nodeports':
      return value === 'drop' ? texts.dropped : texts.rejected
    case 'firewall-ips':
      return texts.sourceRanges
    case 'service-nodeports':
      return texts.nodePort
    case 'service-ips':
      if (key.startsWith(`${port.clusterIP} . `))
        return port.internalPolicyLocal ? texts.clusterIPLocal : texts.clusterIP
      return texts.external(fieldOf(port, key))
  }
}

function fieldOf({ externalIPs }: ServicePort, key: string): string {
  const isExternalIP = externalIPs.some((address) => key.startsWith(`${address} . `))
  return isExternalIP ? 'spec.externalIPs' : 'status.loadBalancer.ingress'
}
