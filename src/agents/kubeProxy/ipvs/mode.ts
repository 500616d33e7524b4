import { iptablesMode } from '../iptables/mode.js'
import { builtOnce } from '../input.js'
import type { ProxyMode } from '../mode.js'
import { ipvsSysctls } from '../sysctls.js'
import { commandScript, ipvsCommands } from './commands.js'
import { ipvsTexts } from './explained/texts.js'
import { knownIpvs } from './known.js'
import { ipvsRestore } from './restore.js'
import { buildIpvs } from './state.js'

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
  // the chains are iptables chains for masquerading; IPVS picks the endpoint
  listNat: (family, rewrite, chain) =>
    rewrite === 'DNAT' && chain === undefined ? 'ipvsadm -Ln' : iptablesMode.listNat(family, rewrite, chain),
  rulesTitle: (iptables, language) => ipvsTexts[language].title(iptablesMode.rulesTitle(iptables, language)),
}
