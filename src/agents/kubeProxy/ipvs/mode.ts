import { iptablesMode } from '../iptables/mode.js'
import { differencesOf } from '../foundRules.js'
import { builtOnce } from '../input.js'
import type { ProxyMode } from '../mode.js'
import { ipvsSysctls } from '../sysctls.js'
import { commandScript, ipvsCommands } from './commands.js'
import { explainIpvs } from './explained/explainedIpvs.js'
import { ipvsTexts } from './explained/texts.js'
import { knownIpvs } from './known.js'
import { ipvsRestore } from './restore.js'
import { buildIpvs } from './state.js'

const explain: ProxyMode['explain'] = (input, family, { ipvs, tables, connections }, language) => {
  const empty = { servers: [], sets: new Map(), device: false, bound: [], elsewhere: [] }
  return explainIpvs(input, family, { ...(ipvs ?? empty), tables }, connections ?? new Map(), language)
}

/** The kernel's virtual servers, with ipsets that a few iptables rules match. */
export const ipvsMode: ProxyMode = {
  ...iptablesMode,
  name: 'ipvs',
  section: 'ipvs',
  nfacctObjects: [],
  virtualServers: builtOnce(knownIpvs),
  bindsServiceAddresses: true,
  sysctls: ipvsSysctls,
  restoreText: (input, family) => ipvsRestore(buildIpvs(input, family)),
  render: (input, family) => commandScript(ipvsCommands(buildIpvs(input, family), ipvsSysctls(input))),
  catalogue: undefined,
  explain,
  compare: (input, family, found) => differencesOf(explain(input, family, found, 'en')),
  forms: undefined,
  // the chains are iptables chains for masquerading; IPVS picks the endpoint
  listNat: (family, rewrite, chain) =>
    rewrite === 'DNAT' && chain === undefined ? 'ipvsadm -Ln' : iptablesMode.listNat(family, rewrite, chain),
  rulesTitle: (iptables, language) => ipvsTexts[language].title(iptablesMode.rulesTitle(iptables, language)),
}
