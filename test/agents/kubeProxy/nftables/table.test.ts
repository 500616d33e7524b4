import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import t from 'tap'
import { canonicalNftLines } from '../../../netfilter/nftListing.js'
import { changesBetween } from '../../../../src/agents/kubeProxy/changes.js'
import { listingOf } from './listingOf.js'
import { buildTable, updateTable, type NftTable } from '../../../../src/agents/kubeProxy/nftables/table.js'
import { arbitraryHistory } from '../../../kernel/arbitraryHistory.js'

const linesOf = (table: NftTable) => canonicalNftLines(listingOf(table))

for (const family of ['IPv4', 'IPv6'] as const) {
  t.test(`${family}: an updated table is what would be built of the later input`, (t) => {
    fc.assert(
      fc.property(arbitraryHistory(family), (states) => {
        const [first, ...later] = states
        if (first === undefined) return
        let [table, before] = [buildTable(first, family), first]
        for (const state of later) {
          table = updateTable(table, state, changesBetween(before, state, family).services)
          before = state
          deepStrictEqual(linesOf(table), linesOf(buildTable(state, family)))
        }
      }),
      { numRuns: 100, endOnFailure: true },
    )
    t.pass('100 histories')
    t.end()
  })
}
