import { parseNftLists } from '../../netfilter/nftList.js'
import { explainTable } from '../../agents/kubeProxy/nftables/explained/explainedTable.js'
import { buildTable } from '../../agents/kubeProxy/nftables/table.js'
import { listNftTable, readNftRules } from '../readings.js'
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
    return (await Promise.all(families.map((family) => listNftTable(sandbox, netns, family)))).join('')
  },
  async explain(sandbox, netns, input, family, language) {
    // nft lists nothing if the table was deleted
    const [listing = { table: '', blocks: [] }] = parseNftLists(await listNftTable(sandbox, netns, family))
    return explainTable(buildTable(input, family), listing, language)
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
