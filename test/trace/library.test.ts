import t from 'tap'
import { InputError, predict, predictRequest, toPredict, why } from '../../src/index.js'

const request = { from: 'client', to: 'http://{node-a}:30080/' }

t.test('a lab is predicted by its name', async (t) => {
  const { paths } = predictRequest('nodeport', request)
  t.strictSame(
    paths.map(({ end }) => end.kind),
    ['answered', 'answered'],
  )
  t.throws(() => predictRequest('nodeport', { ...request, from: 'nobody' }), InputError)
})

t.test('predict is pure: it does not change its state, and gives the same result again', async (t) => {
  const { state, from, packet } = toPredict('nodeport', request)
  const before = structuredClone(state)
  const first = predict(state, from, packet)
  t.strictSame(predict(state, from, packet), first)
  t.strictSame(state, before)
  const off = new Map(state.sysctls).set('node-a', {})
  const { paths } = predict({ ...state, sysctls: off }, from, packet)
  t.match(paths[0]?.end, { missing: { kind: 'sysctl', name: 'net.ipv4.ip_forward', value: 1 } })
})

t.test('why of a lab', async (t) => {
  const { outcome, findings } = why('nobody-home', request)
  t.equal(outcome, 'fails')
  t.match(findings[0]?.changes[0]?.proposal.says, /^spec\.selector: app=shopp → app=shop/)
})
