import t from 'tap'
import { parseSave } from '../../src/netfilter/save.js'
import { listedNft } from '../../src/snapshot/rules/listedNft.js'
import { tablesWithMeaning } from '../../src/snapshot/meaning.js'
import { loadRestore, loadSave } from '../../src/snapshot/rules/loadRestore.js'
import { inOrderOfHooks, iptablesChains, nftChains } from '../../src/view/live/nodeRules.js'

const saved = `*filter
:INPUT DROP [0:0]
[7:420] -A INPUT -i lo -j ACCEPT
COMMIT
*nat
:PREROUTING ACCEPT [0:0]
:KUBE-MARK-MASQ - [0:0]
[3:180] -A PREROUTING -j KUBE-MARK-MASQ
[2:120] -A KUBE-MARK-MASQ -j MARK --set-xmark 0x4000/0x4000
[0:0] -A KUBE-MARK-MASQ -j RETURN
[0:0] -A KUBE-MARK-MASQ -j RETURN
COMMIT
`
const line = '-A KUBE-MARK-MASQ -j MARK --or-mark 0x4000'
const object = { kind: 'Service', namespace: 'default', name: 'web', port: 'http' }
const planned = loadRestore(
  `*nat\n:KUBE-MARK-MASQ - [0:0]\n${line}\nCOMMIT\n`,
  new Map([
    [`nat ${line}`, { spec: '-j MARK --set-xmark 0x4000/0x4000', why: 'marks', owner: 'kube-proxy', object }],
  ]),
)

function chainsOf(text: string) {
  const tables = parseSave(text)
  const packets = (table: string, chain: string) =>
    (tables.find((one) => one.table === table)?.rules ?? [])
      .filter((rule) => rule.chain === chain)
      .map((rule) => rule.packets)
  const all = iptablesChains(tablesWithMeaning(loadSave(tables), planned), packets)
  return all.filter(({ rules }) => rules.length > 0)
}

t.test('rules of iptables have counters, and what the same rule of the plan means', async (t) => {
  const chains = inOrderOfHooks(chainsOf(saved))
  t.match(
    chains.map(({ table, chain, hook, policy }) => [table, chain, hook, policy]),
    [
      ['nat', 'PREROUTING', 'prerouting', 'ACCEPT'],
      ['filter', 'INPUT', 'input', 'DROP'],
      ['nat', 'KUBE-MARK-MASQ', undefined, undefined],
    ],
  )
  const [mark, first, second] = chains[2]?.rules ?? []
  t.match(mark, {
    ...{ text: '-j MARK --set-xmark 0x4000/0x4000', packets: 2, isOff: false },
    ...{ explanation: 'marks', object: 'default/web:http', owner: 'kube-proxy' },
  })
  t.match(chains[0]?.rules, [{ owner: 'kube-proxy', explanation: undefined }])
  t.match(chains[1]?.rules, [{ owner: undefined, packets: 7 }])
  t.not(first?.id, second?.id, 'equal rules are two')
  const again = chainsOf(saved.replace('[2:120]', '[9:540]'))
  t.equal(again.find(({ chain }) => chain === 'KUBE-MARK-MASQ')?.rules[0]?.id, mark?.id)
})

t.test('chains of nftables are those of the family, and of both', async (t) => {
  const table = (family: string, name: string) =>
    `table ${family} ${name} {\n\tchain c {\n\t\ttype filter hook input priority filter; policy drop;\n\t\ttcp dport 22 accept\n\t}\n}\n`
  const ruleset = listedNft(table('ip', 'kube-proxy') + table('ip6', 'own') + table('inet', 'firewalld'))
  t.match(nftChains(ruleset, 'IPv4'), [
    { table: 'ip kube-proxy', chain: 'c', hook: 'input', policy: 'drop' },
    {
      table: 'inet firewalld',
      rules: [{ text: 'tcp dport 22 accept', owner: 'firewalld', packets: undefined }],
    },
  ])
  t.match(
    nftChains(ruleset, 'IPv6').map((chain) => chain.table),
    ['ip6 own', 'inet firewalld'],
  )
})
