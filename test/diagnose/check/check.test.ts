import t from 'tap'
import { check } from '../../../src/diagnose/check/check.js'
import { checkText } from '../../../src/diagnose/check/checkText.js'
import { createColours } from '../../../src/text/colour.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'

for (const lab of ['nodeport', 'loadbalancer', 'ingress', 'gateway'])
  t.test(`the lab ${lab} is healthy`, async (t) => {
    const { findings, asked, passed, unknown } = check(planSnapshot(lab))
    t.strictSame(findings, [])
    t.ok(passed > 0, 'requests pass')
    t.equal(passed + unknown.length, asked, 'and the others are not decided')
  })

const faults: readonly { readonly exercise: string; readonly says: RegExp }[] = [
  { exercise: 'nobody-home', says: /app=shopp of its selector; pod default\/shop-\S+ has app=shop/ },
  { exercise: 'one-node-only', says: /externalTrafficPolicy is Local, and no ready pod .* on node-a/ },
  { exercise: 'waiting-room', says: /readinessProbe .* nothing listens on port 8081, the pod listens on 80/ },
  { exercise: 'every-other', says: /no route to 10\.244\.2\.0\/24, the pods of node-b/ },
  { exercise: 'way-back', says: /rp_filter of node-a is 1/ },
]

for (const { exercise, says } of faults)
  t.test(`the fault of the exercise ${exercise} is named`, async (t) => {
    const { findings } = check(planSnapshot(exercise))
    const found = findings.find((finding) => says.test(finding.says))
    t.ok(found, findings.map((finding) => finding.says).join('\n'))
    t.not(found?.affects.length, 0, 'with the requests that fail by it')
  })

t.test('connection tracking near its limit is a finding', async (t) => {
  const snapshot = planSnapshot('nodeport')
  const counted = (count: number) => {
    const sysctls = new Map(snapshot.state.sysctls)
    const own = { 'net.netfilter.nf_conntrack_count': count, 'net.netfilter.nf_conntrack_max': 1000 }
    sysctls.set('node-a', { ...sysctls.get('node-a'), ...own })
    return check({ ...snapshot, state: { ...snapshot.state, sysctls } }).findings
  }
  t.match(counted(990), [{ code: 'conntrack-full', node: 'node-a', says: /990 of at most 1000/ }])
  t.strictSame(counted(500), [])
})

t.test('what is not decided is not called healthy', async (t) => {
  const text = (asked: number, passed: number) =>
    checkText(
      { findings: [], asked, passed, unknown: [], notices: [] },
      { colours: createColours(false), width: 80 },
    )
  t.match(text(4, 4), /^no problems found: 4 of 4/)
  t.match(text(4, 0), /^nothing is decided/)
  t.match(text(0, 0), /^nothing attached says/)
})
