import t from 'tap'
import type { CataloguedRule } from '../../../src/lab/mutate/catalogue.js'
import { isMetWithout } from '../../../src/lab/mutate/isMetWithout.js'

const rule = (chain: string, spec: string, node = 'node-a'): CataloguedRule => ({
  ...{ node, family: 'IPv4', table: 'nat', chain, spec },
  ...{ line: '', why: '', servicePort: undefined },
})
const incoming = rule('PREROUTING', '-j KUBE-SERVICES')
const [web, other] = [
  rule('KUBE-SERVICES', '-d 10.96.0.1/32 -j X'),
  rule('KUBE-SERVICES', '-d 10.96.0.2/32 -j Y'),
]

t.test('a jump did nothing where all was met without it', async (t) => {
  t.ok(isMetWithout(incoming, [incoming, web], [web, other]))
  t.notOk(isMetWithout(incoming, [incoming, web, other], [web]), 'one rule was not')
  t.notOk(isMetWithout(incoming, [incoming, web], [rule(web.chain, web.spec, 'node-b')]), 'another node')
  t.notOk(isMetWithout(incoming, [incoming], []), 'nothing to tell by')
})

t.test('what is no jump did what it says', async (t) => {
  t.notOk(isMetWithout(rule('KUBE-SEP-A', '-j DNAT --to-destination 10.244.1.2:80'), [web], [web]))
})
