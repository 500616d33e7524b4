import t from 'tap'
import { createCatalogue } from '../../../src/lab/mutate/catalogue.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { withhold } from '../../../src/agents/kubeProxy/iptables/withheld.js'

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
    all.some(({ chain, object }) => chain.startsWith('KUBE-SEP-') && object?.name === 'my-nodeport-service'),
  )
  t.ok(all.some(({ chain, object }) => chain === 'KUBE-POSTROUTING' && object === undefined))
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

t.test('a jump did nothing in a step in which its chain did nothing', async (t) => {
  const [tableIn, fromOutside] = find(/^PREROUTING$/, /KUBE-SERVICES$/)
  const [tableOut, fromNode] = find(/^OUTPUT$/, /^.*portals" -j KUBE-SERVICES$/)
  const [table, nodePorts] = find(/^KUBE-SERVICES$/, /KUBE-NODEPORTS$/)
  const [, toExternal] = find(/^KUBE-NODEPORTS$/, /--dport 30080/)
  const [, toService] = find(/^KUBE-EXT-/, /KUBE-SVC-/)
  const [, toEndpoint] = find(/^KUBE-SVC-/, /-j KUBE-SEP-\S+$/)
  const [, dnat] = find(new RegExp(`^${toEndpoint.split(' ').at(-1)}$`), /DNAT/)
  const catalogue = createCatalogue(facts)
  catalogue.note(prepared)
  const read = (packets: Readonly<Record<string, number>>) =>
    catalogue.count(
      'node-a',
      'IPv4',
      Object.entries(packets).map(([rule, packets]) => ({
        table,
        rule,
        chain: rule.split(' ')[1] ?? '',
        packets,
      })),
    )
  t.strictSame([tableIn, tableOut], ['nat', 'nat'])
  const whole = [nodePorts, toExternal, toService, toEndpoint, dnat]
  read({ [fromOutside]: 2 })
  read({ [fromOutside]: 2, [fromNode]: 1, ...Object.fromEntries(whole.map((rule) => [rule, 1])) })
  const { met } = catalogue.rules()
  t.notOk(
    met.some(({ chain }) => chain === 'PREROUTING'),
    'what came from outside met nothing',
  )
  t.match(met, [{ chain: 'OUTPUT', metIn: [1] }, ...whole.map(() => ({ metIn: [1] }))])
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
