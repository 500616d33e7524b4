import t from 'tap'
import { isLike } from '../../../src/lab/mutate/ruleGlob.js'

const rule = {
  table: 'nat',
  chain: 'KUBE-SEP-ABC',
  spec: '-s 10.244.1.2/32 -m comment --comment "a/b:c" -j KUBE-MARK-MASQ',
}

t.test('a rule is named by its chain, with its spec, and with its table', async (t) => {
  for (const glob of [
    'KUBE-SEP-ABC',
    'KUBE-SEP-*',
    'KUBE-SEP-* -s * -j KUBE-MARK-MASQ',
    'nat KUBE-SEP-* -j KUBE-MARK-MASQ',
    '*"a/b:c"*',
    '*',
  ])
    t.ok(isLike(rule, glob), glob)
})

t.test('all of the name counts, and nothing but * is special', async (t) => {
  for (const glob of [
    'KUBE-SEP',
    'KUBE-SEP-AB.',
    'filter KUBE-SEP-*',
    'KUBE-SEP-* -s 10.244.1.2/32',
    '',
    '(',
    'KUBE-SEP-ABC|x',
  ])
    t.notOk(isLike(rule, glob), glob)
})
