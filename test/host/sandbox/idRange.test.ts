import t from 'tap'
import { idMapLine, idRange } from '../../../src/host/sandbox/idRange.js'

const cases: readonly [string, string, ReturnType<typeof idRange>][] = [
  ['a host', '         0          0 4294967295\n', { first: 1_000_000, count: 65_536 }],
  ['a container with ids of its own', '0 100000 65536\n', { first: 32_768, count: 32_768 }],
  ['rootless podman', '0 1000 1\n1 100000 65536\n', { first: 32_769, count: 32_768 }],
  ['an extent that ends in the middle of the range', '0 0 1010000\n', { first: 944_464, count: 65_536 }],
  ['one id', '0 1000 1\n', undefined],
  ['few ids', '0 1000 1500\n', undefined],
  ['nothing', '', undefined],
]

for (const [what, text, range] of cases) {
  t.test(what, (t) => {
    t.strictSame(idRange(text), range)
    t.end()
  })
}

t.test('the line that maps them', (t) => {
  t.equal(idMapLine({ first: 1_000_000, count: 65_536 }), '0 1000000 65536\n')
  t.end()
})
