import fc from 'fast-check'
import t from 'tap'
import type { ProxyInput } from '../../../../src/agents/kubeProxy/input.js'
import { endpointChainName, serviceChainNames } from '../../../../src/agents/kubeProxy/iptables/chainNames.js'
import {
  renderFullRestore,
  renderSync,
  staleChains,
} from '../../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { arbitraryInput } from '../arbitraryInput.js'
import { endpoint, input, service, slice } from '../objects.js'

const svc1 = service('svc1', { clusterIP: '172.30.0.41' })
const svc2 = service('svc2', { clusterIP: '172.30.0.42' })
const eps1 = slice('svc1', [endpoint('10.0.1.1', 'remote')])
const eps2 = slice('svc2', [endpoint('10.0.2.1', 'remote')])
const own = (name: string) => serviceChainNames(`ns1/${name}:http`, 'tcp').cluster
const ownEndpoint = (name: string, address: string) =>
  endpointChainName(`ns1/${name}:http`, 'tcp', `${address}:80`)

const serviceLines = (text: string) =>
  text.split('\n').filter((line) => /^(?::|-A |-X )KUBE-(?:SVC|SVL|EXT|FW|SEP)-/.test(line))
const partial = (from: ProxyInput, changed: readonly string[], stale: readonly string[] = []) =>
  renderSync(buildRuleset(from, 'IPv4'), { only: new Set(changed), staleChains: stale })

t.test('the first sync writes all', (t) => {
  const text = renderSync(buildRuleset(input([svc1, svc2], [eps1, eps2]), 'IPv4'))
  t.equal(serviceLines(text).filter((line) => line.startsWith(':')).length, 4)
  t.equal(text.match(/^\*|^COMMIT$/gm)?.length, 4, 'two tables, each committed')
  t.notMatch(text, 'CANARY', 'no canary')
  t.notMatch(text, /^-I/m, 'and no jump rules: kube-proxy makes those one by one')
  t.end()
})

t.test('a later one writes the changed chains, and the complete dispatch chains', (t) => {
  const from = input([svc1, svc2], [eps1, eps2])
  const text = partial(from, ['ns1/svc2'])
  t.ok(
    serviceLines(text).every(
      (line) => line.includes(own('svc2')) || line.includes(ownEndpoint('svc2', '10.0.2.1')),
    ),
  )
  t.equal(serviceLines(text).length, 6, '2 chains and 4 rules')
  t.match(text, `-d 172.30.0.41 --dport 80 -j ${own('svc1')}`, 'the other Service is dispatched to still')
  t.same(serviceLines(partial(from, [])), [], 'nothing changed: base chains only')
  t.end()
})

t.test('chains of a removed Service are emptied and removed', (t) => {
  const gone = [own('svc2'), ownEndpoint('svc2', '10.0.2.1')]
  const ruleset = buildRuleset(input([svc1], [eps1]), 'IPv4')
  const existing = [own('svc1'), ownEndpoint('svc1', '10.0.1.1'), ...gone, 'KUBE-SERVICES', 'CNI-X']
  t.same(staleChains(ruleset, existing), gone)
  t.same(serviceLines(partial(input([svc1], [eps1]), ['ns1/svc2'], gone)), [
    ...gone.map((chain) => `:${chain} - [0:0]`),
    ...gone.map((chain) => `-X ${chain}`),
  ])
  t.end()
})

t.test('a Service without endpoints is rejected in filter, and has no nat rules', (t) => {
  const text = partial(input([svc1], []), ['ns1/svc1'])
  t.match(text, '"ns1/svc1:http has no endpoints" -m tcp -p tcp -d 172.30.0.41 --dport 80 -j REJECT')
  t.same(serviceLines(text), [])
  t.end()
})

t.test('one endpoint more, and all chains of the Service are written', (t) => {
  const two = slice('svc1', [endpoint('10.0.1.1', 'remote'), endpoint('10.0.1.2', 'remote')])
  const text = partial(input([svc1, svc2], [two, eps2]), ['ns1/svc1'])
  t.equal(serviceLines(text).filter((line) => line.startsWith(':')).length, 3)
  t.match(text, '--probability 0.5000000000')
  t.end()
})

t.test('any cluster: the text is well-formed', (t) => {
  fc.assert(
    fc.property(arbitraryInput, fc.constantFrom('IPv4', 'IPv6'), (from, family) => {
      const ruleset = buildRuleset(from, family)
      for (const text of [renderFullRestore(ruleset), renderSync(ruleset)]) {
        let declared = new Set<string>()
        for (const line of text.split('\n')) {
          if (line.startsWith('*')) declared = new Set()
          const [, chain] = /^:(\S+) - \[0:0\]$/.exec(line) ?? []
          if (chain !== undefined) {
            if (chain.length > 28 || declared.has(chain)) return false
            declared.add(chain)
          }
          const [, appended] = /^-A (\S+)/.exec(line) ?? []
          if (appended !== undefined && !declared.has(appended)) return false
          const [, target] = /-j (KUBE-\S+)$/.exec(line) ?? []
          if (target !== undefined && !declared.has(target)) return false
        }
      }
      return true
    }),
    { numRuns: 200 },
  )
  t.pass('no chain twice, none too long, no rule or jump without its chain')
  t.end()
})

t.test('any cluster: a partial sync of every Service is a full sync', (t) => {
  fc.assert(
    fc.property(arbitraryInput, (from) => {
      const ruleset = buildRuleset(from, 'IPv4')
      const every = new Set(
        from.services.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
      )
      return renderSync(ruleset, { only: every }) === renderSync(ruleset)
    }),
    { numRuns: 100 },
  )
  t.pass()
  t.end()
})
