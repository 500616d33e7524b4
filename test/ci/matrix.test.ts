import t from 'tap'
import { matrix, variantOptions } from '../../src/ci/matrix.js'
import { followShare } from '../../src/ci/shareProgress.js'
import { shares } from '../../src/ci/shares.js'

const labs = ['a', 'b', 'c'].map((name) => ({ name, lab: name }))

t.test('a matrix has every lab under every variant, each with a name of its own', async (t) => {
  const cells = matrix(labs, ['nft', 'legacy'], [['IPv4'], ['IPv6']])
  t.equal(new Set(cells.map(({ name }) => name)).size, 12)
  t.equal(cells[0]?.name, 'a nft IPv4')
  t.strictSame(variantOptions(cells[0]?.variant ?? {}), ['--iptables', 'nft', '--families', 'IPv4'])
  t.strictSame(
    matrix(labs, [], []).map(({ name }) => name),
    ['a', 'b', 'c'],
    'what is not chosen is left to the machine',
  )
})

t.test('a share is of one variant, and all shares are the matrix', async (t) => {
  const cells = matrix(labs, ['nft', 'legacy'], [])
  for (const containers of [1, 2, 7]) {
    const cut = shares(cells, containers)
    t.strictSame(cut.flat(), cells)
    t.ok(cut.every((share) => new Set(share.map(({ variant }) => variant)).size === 1))
  }
})

t.test('a share that is cut off says what had begun and what had not', async (t) => {
  const cells = matrix(labs, ['nft'], [])
  const progress = followShare(cells, ({ lab }) => lab)
  t.equal(progress.on({ type: 'lab-start', lab: 'a', title: '' })?.lab, 'a nft')
  t.equal(progress.current()?.name, 'a nft')
  t.strictSame(
    progress.waiting().map(({ name }) => name),
    ['b nft', 'c nft'],
  )
  t.equal(progress.on({ type: 'lab-skipped', lab: 'b', reason: '' })?.lab, 'b nft')
  t.equal(progress.current()?.name, 'a nft')
  t.equal(progress.on({ type: 'lab-start', lab: 'other', title: '' }), undefined)
})

t.test('modes of kube-proxy are one more dimension', async (t) => {
  const cells = matrix([{ name: 'nodeport', lab: 'nodeport' }], ['nft'], [], ['iptables', 'nftables'])
  t.strictSame(
    cells.map(({ name }) => name),
    ['nodeport nft iptables', 'nodeport nft nftables'],
  )
  t.strictSame(cells.map(({ variant }) => variantOptions(variant)).at(-1), [
    '--iptables',
    'nft',
    '--mode',
    'nftables',
  ])
})
