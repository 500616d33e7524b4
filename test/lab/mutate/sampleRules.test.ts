import t from 'tap'
import { sampleRules } from '../../../src/lab/mutate/sampleRules.js'
import type { MetRule } from '../../../src/lab/mutate/catalogue.js'

function rule(chain: string, spec: string, service?: string): MetRule {
  const object = service === undefined ? undefined : { kind: 'Service', namespace: 'default', name: service }
  const more = { line: '', why: '', metIn: [1] } as const
  return { node: 'node-a', family: 'IPv4', table: 'nat', ...more, chain, spec, object }
}

function jumps(count: number): MetRule[] {
  return Array.from({ length: count }, (_, index) =>
    rule(
      'KUBE-SVC-X',
      `-m comment --comment "default/web -> 10.244.1.${index}:80" -m statistic --mode random --probability 0.${index}1 -j KUBE-SEP-A${index}`,
      'web',
    ),
  )
}

t.test('of many that are alike three are tried, the same each time', async (t) => {
  const many = jumps(250)
  const others = [rule('KUBE-SVC-X', '-d 10.96.1.1/32 -j KUBE-MARK-MASQ', 'web')]
  const sampled = sampleRules([...others, ...many])
  t.strictSame(
    sampled.map(({ rule }) => rule),
    [...others, many[0], many[125], many[249]],
  )
  t.strictSame(
    sampled.map(({ alike }) => alike),
    [1, 250, 250, 250],
  )
  t.strictSame(sampleRules([...others, ...many]), sampled)
})

t.test('few are all tried, and so are those of other kinds, nodes and Services', async (t) => {
  t.equal(sampleRules(jumps(4)).length, 4)
  t.equal(sampleRules(jumps(5)).length, 3)
  const dnat = jumps(5).map((one, index) =>
    rule(
      `KUBE-SEP-A${index}`,
      `-p tcp -m tcp -j DNAT --to-destination 10.244.1.${index}:80`,
      one.object?.name,
    ),
  )
  t.equal(sampleRules([...jumps(5), ...dnat]).length, 6)
  const elsewhere = jumps(5).map((one) => ({ ...one, node: 'node-b' }))
  t.equal(sampleRules([...jumps(5), ...elsewhere]).length, 6)
  const shared = Array.from({ length: 9 }, (_, index) => rule('KUBE-SERVICES', `-d 10.0.0.${index} -j X`))
  t.equal(sampleRules(shared).length, 9)
})

t.test('what did something in another step first is another matter', async (t) => {
  const early = jumps(6).map((one) => ({ ...one, metIn: [1] as const }))
  const late = jumps(6).map((one) => ({ ...one, metIn: [9] as const }))
  t.equal(sampleRules([...early, ...late]).length, 6)
})
