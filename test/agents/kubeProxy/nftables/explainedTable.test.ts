import t from 'tap'
import type { NftListing } from '../../../../src/netfilter/nftList.js'
import type { ExplainedRuleset } from '../../../../src/agents/kubeProxy/iptables/explained/types.js'
import { explainTable } from '../../../../src/agents/kubeProxy/nftables/explained/explainedTable.js'
import { buildTable } from '../../../../src/agents/kubeProxy/nftables/table.js'
import { chainsOf, rulesOf } from '../explainedRules.js'
import { goldenCases } from '../goldenCases.js'

const cases = goldenCases().filter(({ nft }) => nft !== undefined)
const families = ['IPv4', 'IPv6'] as const

for (const family of families) {
  t.test(`${family}: every rule and element that was recorded stands, and has its reason`, (t) => {
    const wrong: Record<string, unknown> = {}
    for (const { name, input, nft } of cases) {
      if (nft === undefined) continue
      const explained = explainTable(buildTable(input, family), nft[family], 'en')
      const others = explained.others
      const rules = rulesOf(explained).filter(({ state, why }) => state !== 'expected' || why === '')
      const undescribed = chainsOf(explained).filter(({ about }) => about === '')
      const listed = nft[family].blocks.flatMap(({ lines, elements }) => [...lines, ...elements])
      const explainedSpecs = new Set(rulesOf(explained).map(({ spec }) => spec))
      const missing = listed.filter((text) => !explainedSpecs.has(text))
      const unexplained = missing.filter((text) => !/^(type|comment|flags|size|timeout) /.test(text))
      const found = { rules, others, undescribed, unexplained }
      if (Object.values(found).some((list) => list.length > 0)) wrong[name] = found
    }
    t.ok(cases.length > 40, `${cases.length} recordings`)
    t.same(wrong, {}, 'recordings with rules that are not expected, not described or of other programs')
    t.end()
  })
}

t.test('what is missing, and what is extra', (t) => {
  const [one] = cases.filter(({ nft }) => nft?.IPv4.blocks.some(({ name }) => name.startsWith('external-')))
  if (one?.nft === undefined) throw new Error('no case with external traffic')
  const table = buildTable(one.input, 'IPv4')
  const edited = (edit: (block: NftListing['blocks'][number]) => NftListing['blocks'][number]) => {
    const listing = one.nft?.IPv4 as NftListing
    return explainTable(table, { ...listing, blocks: listing.blocks.map(edit) }, 'en')
  }
  const states = (ruleset: ExplainedRuleset) =>
    rulesOf(ruleset).flatMap(({ state, spec }) => (state === 'expected' ? [] : [`${state}: ${spec}`]))

  const masquerading = edited((block) => (block.name === 'masquerading' ? { ...block, lines: [] } : block))
  t.match(states(masquerading), [/^missing: meta mark & /, /^missing: ct status dnat /])
  const added = edited((block) =>
    block.name === 'services' ? { ...block, lines: [...block.lines, 'accept'] } : block,
  )
  t.same(states(added), ['extra: accept'])
  const mapped = edited((block) =>
    block.name === 'service-ips'
      ? { ...block, elements: [...block.elements, '10.9.9.9 . tcp . 1 : drop'] }
      : block,
  )
  t.same(states(mapped), ['extra: 10.9.9.9 . tcp . 1 : drop'])
  const empty = explainTable(table, { table: '', blocks: [] }, 'en')
  t.ok(
    rulesOf(empty).every(({ state }) => state === 'missing'),
    'without a table all of it',
  )
  const listing = one.nft.IPv4
  const mine = { kind: 'chain', name: 'mine', lines: ['drop'], elements: [] } as const
  const own = explainTable(table, { ...listing, blocks: [...listing.blocks, mine] }, 'en')
  t.match(own.others, [{ table: 'chain', chain: 'mine', rules: [{ state: 'extra', spec: 'drop' }] }])
  t.end()
})
