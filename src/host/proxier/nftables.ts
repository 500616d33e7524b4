import { policyTable } from '../../agents/networkPolicy/nftTable.js'
import { parseNftLists } from '../../netfilter/nftList.js'
import { listNodeTables, readNftRules } from '../readings.js'
import { takeNftAway } from '../taken/takeNftAway.js'
import type { LiveMode } from './liveMode.js'
import { nftWriter } from './nftWriter.js'
import { proxierOf } from './proxier.js'

export const liveNftables: LiveMode = {
  kernelNeeds: undefined,
  nodeProcess: () => undefined,
  proxier: (options) => proxierOf(options, nftWriter(options.tables, options.family)),
  readRules: (sandbox, _iptables, netnsNames, families) => readNftRules(sandbox, netnsNames, families),
  async print(sandbox, netns, families) {
    return (await Promise.all(families.map((family) => listNodeTables(sandbox, netns, family)))).join('')
  },
  async find(sandbox, netns, family) {
    // nft lists nothing of a table that does not exist
    const listings = parseNftLists(await listNodeTables(sandbox, netns, family))
    const policies = `table ${policyTable(family)}`
    return {
      tables: [],
      listing: listings.find(({ table }) => table !== policies),
      policies: listings.find(({ table }) => table === policies),
    }
  },
  takeRuleAway: (sandbox, _iptables, netns, rule) => takeNftAway(sandbox, netns, rule),
  evidence: {
    command: (family) => ['nft', 'list', 'table', family === 'IPv4' ? 'ip' : 'ip6', 'kube-proxy'],
    // elements of its verdict maps: `10.96.0.10 . tcp . 80 : goto service-…`
    read:
      (answer) =>
      ({ address, protocol, port }) =>
        new RegExp(`(^|[\\s{,])${address.replaceAll('.', '\\.')} \\. ${protocol} \\. ${port}\\b`, 'm').test(
          answer,
        ),
  },
}
