import type { NftListing } from '../../../netfilter/nftList.js'
import { differencesOf } from '../foundRules.js'
import type { ProxyMode } from '../mode.js'
import { conntrackSysctls } from '../sysctls.js'
import { catalogueOfTable, tableOf } from './catalogue.js'
import { explainPolicies } from './explained/explainPolicies.js'
import { explainTable } from './explained/explainedTable.js'
import { renderTable } from './render.js'
import { nftTexts } from './texts.js'
import { tableName } from './writer.js'

const nothing: NftListing = { table: '', blocks: [] }

const explain: ProxyMode['explain'] = (
  input,
  family,
  { listing = nothing, policies = nothing },
  language,
) => {
  const explained = explainTable(tableOf(input, family), listing, language)
  return { ...explained, others: [...explained.others, ...explainPolicies(policies, language)] }
}

/** Chains, sets and maps in kube-proxy's own table. */
export const nftablesMode: ProxyMode = {
  name: 'nftables',
  section: 'nftables',
  removedIn: undefined,
  // KEP-3866: alpha in 1.29, on by default since 1.31
  gate: { name: 'NFTablesProxyMode', from: 29, to: 30 },
  tools: ['nft'],
  nfacctObjects: [],
  ownTable: tableName,
  countsPackets: false,
  relaysConnections: false,
  bindsServiceAddresses: false,
  servesHealthChecks: true,
  unsupportedField: () => undefined,
  sysctls: conntrackSysctls,
  restoreText: () => '',
  render: (input, family) => renderTable(tableOf(input, family)),
  catalogue: catalogueOfTable,
  explain,
  compare: (input, family, found) => differencesOf(explain(input, family, found, 'en')),
  forms: undefined,
  // nft lists chains, sets and maps by different commands
  listNat: (family) => `nft -s list table ${family === 'IPv6' ? 'ip6' : 'ip'} ${tableName}`,
  rulesTitle: (_, language) => nftTexts[language].title(tableName),
}
