import t from 'tap'
import type { ModeName } from '../../../src/proxy/config.js'
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
  ['userspace', /^vethlab exec nodeport node-a -- iptables -t nat -vnL( KUBE-SERVICES)?$/],
]

for (const [mode, command] of commands) {
  t.test(`a check of rules that fails in mode ${mode} names the command that lists them`, async (t) => {
    for (const expect of failing) {
      const requests = Array.from({ length: 400 }, () => answer({ pod: 'web-7f-a' }))
      const told = checks(expect, { requests, flows: [crossNodeFlow()] }, {}, mode).filter(({ ok }) => !ok)
      t.ok(told.length > 0, `${JSON.stringify(expect)} fails`)
      for (const { look } of told) t.match(look, command, JSON.stringify(expect))
    }
  })
}
