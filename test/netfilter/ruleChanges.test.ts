import t from 'tap'
import { ruleChanges } from '../../src/netfilter/ruleChanges.js'
import { parseSave } from '../../src/netfilter/save.js'

function nat(...lines: readonly string[]) {
  return parseSave(['*nat', ':PREROUTING ACCEPT [0:0]', ...lines, 'COMMIT', ''].join('\n'))
}

t.test('added and removed chains and rules', async (t) => {
  const before = nat(':A - [0:0]', ':B - [0:0]', '[3:180] -A A -j B', '-A A -j RETURN')
  const after = nat(':A - [9:9]', ':C - [0:0]', '[0:0] -A A -j RETURN', '-A A -j C', '-A A -j C')
  t.strictSame(ruleChanges(before, after), {
    added: [
      { table: 'nat', chain: 'C' },
      { table: 'nat', chain: 'A', rule: '-A A -j C' },
      { table: 'nat', chain: 'A', rule: '-A A -j C' },
    ],
    removed: [
      { table: 'nat', chain: 'B' },
      { table: 'nat', chain: 'A', rule: '-A A -j B' },
    ],
    same: false,
  })
})

t.test('counters and the order of Services are no change', async (t) => {
  const service = (name: string) =>
    `-A KUBE-SERVICES -p tcp -m comment --comment "default/${name}:http" -j KUBE-SVC-${name}`
  const before = nat(':KUBE-SERVICES - [0:0]', `[7:420] ${service('a')}`, `[0:0] ${service('b')}`)
  const after = nat(':KUBE-SERVICES - [5:5]', service('b'), service('a'))
  t.strictSame(ruleChanges(before, after), { added: [], removed: [], same: true })
})

t.test('a rule that moves in its chain is a change', async (t) => {
  const changes = ruleChanges(
    nat(':A - [0:0]', '-A A -j B', '-A A -j C'),
    nat(':A - [0:0]', '-A A -j C', '-A A -j B'),
  )
  t.strictSame(changes, { added: [], removed: [], same: false })
})
