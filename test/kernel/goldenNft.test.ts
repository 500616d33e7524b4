import t from 'tap'
import { canonicalNftLines, parseNftList } from '../netfilter/nftListing.js'
import { listingOf } from '../agents/kubeProxy/nftables/listingOf.js'
import { renderTable } from '../../src/agents/kubeProxy/nftables/render.js'
import { buildTable } from '../../src/agents/kubeProxy/nftables/table.js'
import { goldenCases } from '../agents/kubeProxy/goldenCases.js'
import { cannotLoadNft, loadTables } from './loadNft.js'

const cases = goldenCases()
const skip = cannotLoadNft()

for (const family of ['IPv4', 'IPv6'] as const) {
  t.test(`${family}: the table as loaded equals the recordings`, { skip }, (t) => {
    const texts = cases.map(({ name, input }) => [name, renderTable(buildTable(input, family))] as const)
    const loaded = loadTables(family === 'IPv4' ? 'ip' : 'ip6', new Map(texts))
    for (const { name, input, nft } of cases) {
      const { errors, listed } = loaded.get(name) ?? { errors: 'not loaded', listed: '' }
      t.equal(errors, '', `${name}: loads`)
      if (errors !== '') continue
      const found = canonicalNftLines(parseNftList(listed))
      if (nft !== undefined) t.same(found, canonicalNftLines(nft[family]), `${name}: equals the recording`)
      t.same(canonicalNftLines(listingOf(buildTable(input, family))), found, `${name}: is listed as foreseen`)
    }
    t.end()
  })
}
