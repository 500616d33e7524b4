import t from 'tap'
import { createCatalogue } from '../../../src/lab/mutate/catalogue.js'
import { prepareLab } from '../../../src/lab/prepareLab.js'
import { withhold } from '../../../src/proxy/iptables/withheld.js'

const facts = { nfacct: false, randomFully: true }
const prepared = prepareLab('nodeport')

function catalogueOf(...counted: readonly (readonly [table: string, rule: string])[]) {
  const catalogue = createCatalogue(facts)
  catalogue.note(prepared)
  catalogue.count(
    'node-a',
    'IPv4',
    counted.map(([table, rule]) => ({ table, rule, chain: rule.split(' ')[1] ?? '', packets: 1 })),
  )
  return catalogue.rules()
}

const all = catalogueOf().notMet
const find = (chain: RegExp, spec: RegExp) => {
  const found = all.find((rule) => rule.node === 'node-a' && chain.test(rule.chain) && spec.test(rule.spec))
  if (found === undefined) throw new Error(`no rule ${chain.source} ${spec.source}`)
  return [found.table, `-A ${found.chain} ${found.spec}`] as const
}

t.test('each rule of each node is in it, with the Service that it belongs to', async (t) => {
  t.equal(all.length, 2 * all.filter(({ node }) => node === 'node-a').length)
  t.ok(
    all.some(
      ({ chain, servicePort }) =>
        chain.startsWith('KUBE-SEP-') && servicePort === 'default/my-nodeport-service',
    ),
  )
  t.ok(all.some(({ chain, servicePort }) => chain === 'KUBE-POSTROUTING' && servicePort === undefined))
})

t.test('a jump did nothing where no rule of its chain did', async (t) => {
  const [toPostrouting, masquerade, unmarked] = [
    find(/^POSTROUTING$/, /KUBE-POSTROUTING$/),
    find(/^KUBE-POSTROUTING$/, /MASQUERADE/),
    find(/^KUBE-POSTROUTING$/, /RETURN$/),
  ]
  const specs = (rules: readonly { readonly chain: string }[]) => rules.map(({ chain }) => chain)
  t.strictSame(specs(catalogueOf(toPostrouting).met), [])
  t.strictSame(
    specs(catalogueOf(toPostrouting, unmarked).met),
    ['KUBE-POSTROUTING'],
    'to return does nothing',
  )
  t.strictSame(specs(catalogueOf(toPostrouting, masquerade).met), ['POSTROUTING', 'KUBE-POSTROUTING'])
})

t.test('what counted on another node counts there', async (t) => {
  const [table, rule] = find(/^KUBE-POSTROUTING$/, /MASQUERADE/)
  const catalogue = createCatalogue(facts)
  catalogue.note(prepared)
  catalogue.count('node-b', 'IPv4', [{ table, rule, chain: 'KUBE-POSTROUTING', packets: 3 }])
  t.match(catalogue.rules().met, [{ node: 'node-b', chain: 'KUBE-POSTROUTING' }])
})

t.test('every rule that is withheld is one line of what is loaded, and no other', async (t) => {
  const text = all.map(({ line, table }) => `*${table}\n${line}\nCOMMIT`).join('\n')
  const own = all.filter(({ node }) => node === 'node-a')
  for (const rule of own) {
    const left = withhold(text, rule, rule)
    // both nodes have the same rules, and both stand in this text
    t.ok(text.split('\n').length - left.split('\n').length >= 1, rule.line)
    t.notOk(left.includes(`*${rule.table}\n${rule.line}\n`))
    t.equal(withhold(text, rule, { node: 'node-b', family: 'IPv4' }), text)
    t.equal(withhold(text, rule, { node: 'node-a', family: 'IPv6' }), text)
  }
})
