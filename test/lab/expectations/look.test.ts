import t from 'tap'
import type { ModeName } from '../../../src/agents/kubeProxy/config.js'
import { answer, checks, crossNodeFlow } from '../fixture.js'

const failing: readonly Record<string, unknown>[] = [
  { servedBy: 'web-7f-b' },
  { samePod: false },
  { share: 'web' },
  { weights: { 'web-7f-a': 90, 'web-7f-b': 10 } },
  { inTurn: 'web' },
  { dnat: { to: 'web-7f-a', port: 80 } },
  { snat: { to: 'node-b' } },
  { nat: 'none' },
  { chains: { hit: 'KUBE-SERVICES' } },
  { rules: { added: ['KUBE-SVC-*'] } },
]

const commands: readonly [ModeName, RegExp][] = [
  ['iptables', /^vethlab exec nodeport node-a -- iptables -t nat -vnL( KUBE-SERVICES)?$/],
  ['nftables', /^vethlab exec nodeport node-a -- nft -s list table ip kube-proxy$/],
  ['ipvs', /^vethlab exec nodeport node-a -- (ipvsadm -Ln|iptables -t nat -vnL( KUBE-SERVICES)?)$/],
  ['userspace', /^vethlab exec nodeport node-a -- iptables -t nat -vnL( KUBE-SERVICES)?$/],
]

for (const [mode, command] of commands) {
  t.test(`a check of rules that fails in mode ${mode} names the command that lists them`, async (t) => {
    for (const expect of failing) {
      const requests = Array.from({ length: 400 }, () => answer({ pod: 'web-7f-a' }))
      const shownChecks = checks(expect, { requests, flows: [crossNodeFlow()] }, {}, mode).filter(
        ({ ok }) => !ok,
      )
      t.ok(shownChecks.length > 0, `${JSON.stringify(expect)} fails`)
      for (const { look } of shownChecks) t.match(look, command, JSON.stringify(expect))
    }
  })
}

t.test('in mode ipvs, IPVS has the endpoints, and iptables masquerades and has the chains', (t) => {
  const looks = failing.map((expect) => {
    const requests = Array.from({ length: 400 }, () => answer({ pod: 'web-7f-a' }))
    const shownChecks = checks(expect, { requests, flows: [crossNodeFlow()] }, {}, 'ipvs').find(
      ({ ok }) => !ok,
    )
    return `${Object.keys(expect).join()}: ${shownChecks?.look?.replace(/.* -- /, '')}`
  })
  t.same(looks, [
    'servedBy: ipvsadm -Ln',
    'samePod: ipvsadm -Ln',
    'share: ipvsadm -Ln',
    'weights: ipvsadm -Ln',
    'inTurn: ipvsadm -Ln',
    'dnat: ipvsadm -Ln',
    'snat: iptables -t nat -vnL',
    'nat: ipvsadm -Ln',
    'chains: iptables -t nat -vnL KUBE-SERVICES',
    'rules: ipvsadm -Ln',
  ])
  t.end()
})
