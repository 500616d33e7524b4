import { matchOf } from '../../../netfilter/rules/model.js'
import type { Language } from '../../../text/language.js'
import { baseChain } from './chainNames.js'
import type { Rule } from './rule.js'
import { iptablesTexts } from './texts.js'

/**
 * Explains a rule in a short sentence: its purpose, and the field of the object that requires it.
 */
export function explainRule(rule: Rule, language: Language): string {
  const texts = iptablesTexts[language]
  const { reason, port } = rule
  switch (reason) {
    case 'jump':
      return texts.jumps[jumpOf(rule)]
    case 'nodePorts':
      return matchOf(rule, 'addrtype') ? texts.nodePorts : texts.nodePortsOnAddresses
    case 'clusterIP':
      return port?.internalPolicyLocal === true ? texts.clusterIPLocal : texts.clusterIP
    case 'loadBalancerIP':
      return (port?.sourceRanges.length ?? 0) > 0 ? texts.loadBalancerIPWithRanges : texts.loadBalancerIP
    case 'noLocalEndpoints':
      return texts.noLocalEndpoints(policyOf(rule))
    case 'masqueradeClusterIP':
      return rule.source || rule.inInterface ? texts.masqueradeClusterIP : texts.masqueradeAll
    case 'affinity':
      return texts.affinity(port?.affinitySeconds ?? 0)
    case 'loadBalancing': {
      const chance = matchOf(rule, 'statistic')?.probability?.value
      return chance ? texts.loadBalancing(Math.round(1 / chance)) : texts.loadBalancingLast
    }
    case 'endpoint':
      return (port?.affinitySeconds ?? 0) > 0 ? texts.endpointWithAffinity : texts.endpoint
    default:
      return texts[reason]
  }
}

type Jump = keyof typeof iptablesTexts.en.jumps

/** The target of a jump. Table filter has another KUBE-SERVICES than nat; only its jumps match on conntrack. */
function jumpOf(rule: Rule): Jump {
  const chain = rule.target?.kind === 'jump' ? rule.target.chain : ''
  const name = Object.entries(baseChain).find(([, other]) => other === chain)?.[0] ?? ''
  if (!isJump(name) || (name === 'services' && matchOf(rule, 'conntrack') !== undefined))
    return 'filteredServices'
  return name
}

function isJump(name: string): name is Jump {
  return name in iptablesTexts.en.jumps
}

function policyOf({ destination, port }: Rule): string {
  const isInternal = destination !== undefined && destination.value === port?.clusterIP
  return `${isInternal ? 'internal' : 'external'}TrafficPolicy`
}
