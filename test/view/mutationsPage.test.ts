import t from 'tap'
import type { LabMutations, Mutation } from '../../src/results/mutations.js'
import { mutationsPage } from '../../src/view/report/mutationsPage.js'

const caught: Mutation = {
  ...{ family: 'IPv4', table: 'nat', chain: 'KUBE-NODEPORTS', nodes: ['node-a'], alike: 1 },
  spec: '-p tcp -m comment --comment "default/web" -m tcp --dport 30080 -j KUBE-EXT-LOLE4ISW44XBNF3G',
  why: 'spec.ports[].nodePort',
  servicePort: 'default/web',
  verdict: { kind: 'caught', step: 'The client reaches the Service', check: 'status 200' },
}
const missed: Mutation = {
  ...caught,
  ...{ chain: 'KUBE-SVC-LOLE4ISW44XBNF3G', verdict: { kind: 'not caught' } },
}
const lab = (name: string, mutations: readonly Mutation[]): LabMutations => ({
  ...{ lab: name, title: `the lab ${name}`, mutations, notMet: 3, idle: [], durationMs: 1 },
  ok: !mutations.includes(missed),
})
const style = 'b{color:red}'

t.test('labs and rules that failed come first', async (t) => {
  const html = mutationsPage([lab('good', [caught]), lab('weak', [caught, missed])], '1.2.3', style)
  t.match(html, '<title>vethlab: 1 of 2 labs failed</title>')
  t.ok(html.indexOf('the lab weak') < html.indexOf('the lab good'))
  const weak = html.slice(html.indexOf('the lab weak'), html.indexOf('the lab good'))
  t.ok(weak.indexOf('KUBE-SVC-') < weak.indexOf('KUBE-NODEPORTS'))
  t.match(weak, /without it on node-a: no check failed/)
  t.match(weak, /“The client reaches the Service” › status 200/)
  t.match(html, '3 more rules without effect')
})

t.test('a lab that was skipped or failed says why', async (t) => {
  const none = lab('none', [])
  t.match(mutationsPage([{ ...none, skipped: 'no kube-proxy' }], '1', style), 'skipped: no kube-proxy')
  t.match(mutationsPage([{ ...none, ok: false, error: 'step 1 failed' }], '1', style), 'step 1 failed')
})

t.test('texts from outside cannot become elements of the page', async (t) => {
  const hostile = '</style><img src=x onerror=alert(1)>"&'
  const rule: Mutation = {
    ...{ family: 'IPv4', table: hostile, chain: hostile, spec: hostile, why: hostile, alike: 1 },
    ...{ servicePort: hostile, nodes: [hostile], uncovered: hostile },
    verdict: { kind: 'caught', step: hostile, check: hostile },
  }
  const html = mutationsPage([{ ...lab(hostile, [rule]), title: hostile, idle: [hostile] }], hostile, style)
  t.notMatch(html, '<img')
  t.match(html, '&lt;img')
  t.match(html, "default-src 'none'")
})
