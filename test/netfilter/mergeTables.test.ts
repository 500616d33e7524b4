import t from 'tap'
import { mergeTables } from '../../src/netfilter/mergeTables.js'

t.test('each table has one commit, with its lines in their order', (t) => {
  const text = `*nat
-A POSTROUTING -j MASQUERADE
COMMIT
*filter
:A - [0:0]
COMMIT
*nat
:B - [0:0]
-I POSTROUTING -m comment --comment "COMMIT" -j B
COMMIT
`
  const expected = `*nat
-A POSTROUTING -j MASQUERADE
:B - [0:0]
-I POSTROUTING -m comment --comment "COMMIT" -j B
COMMIT
*filter
:A - [0:0]
COMMIT
`
  t.equal(mergeTables(text), expected)
  t.equal(mergeTables(''), '')
  t.equal(mergeTables('*nat\nCOMMIT\n'), '*nat\nCOMMIT\n')
  t.end()
})
