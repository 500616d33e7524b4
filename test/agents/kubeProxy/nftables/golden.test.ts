import t from 'tap'
import { canonicalNftLines } from '../../../netfilter/nftListing.js'
import { listingOf } from './listingOf.js'
import { buildTable } from '../../../../src/agents/kubeProxy/nftables/table.js'
import { goldenCases } from '../goldenCases.js'

const cases = goldenCases().filter(({ nft }) => nft !== undefined)

t.equal(cases.length, 48, 'all cases but the one about a knob of iptables mode')

for (const family of ['IPv4', 'IPv6'] as const) {
  t.test(`${family}: the table equals the recordings, worked out without a kernel`, (t) => {
    for (const { name, input, nft } of cases) {
      if (nft === undefined) continue
      t.same(canonicalNftLines(listingOf(buildTable(input, family))), canonicalNftLines(nft[family]), name)
    }
    t.end()
  })
}
