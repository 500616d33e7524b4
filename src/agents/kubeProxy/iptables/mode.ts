import { portField } from '../servicePort.js'
import { compareRulesets } from '../../../netfilter/difference.js'
import type { FoundRules } from '../foundRules.js'
import { builtOnce, type ProxyInput } from '../input.js'
import type { ProxyMode } from '../mode.js'
import { iptablesSysctls } from '../sysctls.js'
import { abilitiesOf } from './abilities.js'
import { nfacctCounter } from './baseRules.js'
import { explainRule } from './explain.js'
import { explainRuleset } from './explained/explainedRuleset.js'
import { formsOf } from './forms.js'
import { renderFullRestore } from './restore.js'
import { restoreRule } from './restoreRule.js'
import { buildRuleset } from './ruleset.js'
import { toSaved } from './saved.js'
import { savedSpec } from './savedRule.js'
import { iptablesTexts } from './texts.js'
import { writtenRules } from './writtenRules.js'

const rulesetOf = builtOnce(buildRuleset)

/** Chains of NAT rules in the tables of iptables. */
export const iptablesMode: ProxyMode = {
  name: 'iptables',
  section: 'iptables',
  removedIn: undefined,
  tools: [],
  nfacctObjects: Object.values(nfacctCounter),
  ownTable: undefined,
  countsPackets: true,
  relaysConnections: false,
  bindsServiceAddresses: false,
  servesHealthChecks: true,
  unsupportedField: () => undefined,
  sysctls: iptablesSysctls,
  restoreText: (input, family) => renderFullRestore(rulesetOf(input, family)),
  render: (input, family) => renderFullRestore(rulesetOf(input, family)),
  catalogue: (input, family) =>
    writtenRules(rulesetOf(input, family)).map(({ table, rule, command }) => ({
      ...{ node: input.node.metadata.name, family, table, chain: rule.chain },
      line: restoreRule(rule, command),
      spec: savedSpec(rule, family),
      why: explainRule(rule, 'en'),
      object: rule.port && portField(rule.port),
    })),
  explain: (input, family, found, language) =>
    explainRuleset(buildRuleset(ableInput(input, found), family), found.tables, language),
  compare: (input, family, found) =>
    compareRulesets(toSaved(buildRuleset(ableInput(input, found), family)), found.tables),
  forms: (input, family, found) => formsOf(ableInput(input, found), family),
  listNat: (family, _, chain = '') =>
    `${family === 'IPv6' ? 'ip6tables' : 'iptables'} -t nat -vnL ${chain}`.trimEnd(),
  rulesTitle: (iptables, language) => iptablesTexts[language].title(iptables),
}

/** The rules show whether the kernel has nfacct, and iptables --random-fully. */
function ableInput(input: ProxyInput, { tables }: FoundRules): ProxyInput {
  const written = tables.some(({ rules }) => rules.some(({ chain }) => chain === 'KUBE-POSTROUTING'))
  return written ? { ...input, ...abilitiesOf(tables) } : input
}
