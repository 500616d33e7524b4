import t from 'tap'
import { splitRestore } from '../../src/netfilter/splitRestore.js'
import { renderFullRestore } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { manyServices } from '../../scripts/bench/services.js'
import { loaderOf, loadRules } from './loadRules.js'

const loader = loaderOf('IPv4', 'nft')

t.test('the kernel has the same rules after many commits as after one', { skip: loader.skip }, (t) => {
  const ruleset = buildRuleset(manyServices(20, 2), 'IPv4')
  const text = renderFullRestore(ruleset)
  const split = splitRestore(text, { lines: 20, wholeChains: false })
  t.ok((split.match(/^COMMIT$/gm)?.length ?? 0) > 10, 'it is split')
  t.not(split.replaceAll(/^(COMMIT|\*.*)\n/gm, ''), text.replaceAll(/^(COMMIT|\*.*)\n/gm, ''), 'and ordered')
  const loaded = loadRules(
    loader,
    new Map([
      ['one', text],
      ['many', split],
    ]),
  )
  const [one, many] = ['one', 'many'].map((name) => loaded.get(name))
  t.equal(one?.errors, '')
  t.equal(many?.errors, '')
  const rulesOf = (saved = '') => saved.replaceAll(/^#.*\n/gm, '').replaceAll(/\[\d+:\d+\]/g, '')
  t.match(one?.saved, /-A KUBE-SEP-\S+ .*-j DNAT/)
  t.equal(rulesOf(many?.saved), rulesOf(one?.saved))
  t.end()
})
