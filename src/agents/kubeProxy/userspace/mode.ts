import { portField } from '../servicePort.js'
import type { IpFamily } from '../../../net/ipFamily.js'
import { differencesOf } from '../foundRules.js'
import type { ProxyInput } from '../input.js'
import { iptablesMode } from '../iptables/mode.js'
import { savedSpec } from '../iptables/savedRule.js'
import type { ProxyMode } from '../mode.js'
import { conntrackSysctls } from '../sysctls.js'
import { explainPortals } from './explainPortals.js'
import { buildPortals } from './portals.js'
import { userspaceRestore, writtenPortalRules } from './restore.js'
import { userspaceRules } from './rules.js'
import { userspaceTexts } from './texts.js'
import type { UserspaceRules } from './types.js'
import type { Service } from '../../../cluster/types.js'

const explain: ProxyMode['explain'] = (input, family, { served = [], tables }, language) =>
  explainPortals(input, family, served, tables, language)

/** A process that relays connections, with rules that redirect clients to it. */
export const userspaceMode: ProxyMode = {
  ...iptablesMode,
  name: 'userspace',
  removedIn: '1.26',
  nfacctObjects: [],
  relaysConnections: true,
  portals: (input, family) => buildPortals(input, family),
  servesHealthChecks: false,
  unsupportedField,
  sysctls: conntrackSysctls,
  restoreText,
  render: restoreText,
  explain,
  compare: (input, family, found) => differencesOf(explain(input, family, found, 'en')),
  forms: undefined,
  // portals opened by later updates have proxy ports that only the process knows: their rules are not tested
  catalogue: (input, family) =>
    writtenPortalRules(rulesOf(input, family)).map(({ table, rule, line }) => ({
      ...{ node: input.node.metadata.name, family, table, chain: rule.chain, line },
      spec: savedSpec(rule, family),
      why: userspaceTexts.en[rule.reason],
      object: rule.port && portField(rule.port),
    })),
}

function restoreText(input: ProxyInput, family: IpFamily): string {
  return userspaceRestore(rulesOf(input, family))
}

function rulesOf(input: ProxyInput, family: IpFamily): UserspaceRules {
  const { portals, place } = buildPortals(input, family)
  return userspaceRules(portals, place)
}

/** The first field of a Service that mode userspace does not support; undefined if it supports all. */
function unsupportedField({ spec, metadata }: Service): string | undefined {
  if (spec.externalTrafficPolicy === 'Local') return 'externalTrafficPolicy: Local'
  if (spec.internalTrafficPolicy === 'Local') return 'internalTrafficPolicy: Local'
  if ((spec.loadBalancerSourceRanges ?? []).length > 0) return 'loadBalancerSourceRanges'
  if (spec.trafficDistribution !== undefined) return 'trafficDistribution'
  if (metadata.annotations?.['service.kubernetes.io/topology-mode'] !== undefined) return 'topology-mode'
  return (spec.ports ?? []).some(({ protocol }) => protocol === 'SCTP')
    ? 'a port of protocol SCTP'
    : undefined
}
