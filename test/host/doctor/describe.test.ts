import t from 'tap'
import { describeDiagnosis } from '../../../src/host/doctor/describe.js'
import type { Diagnosis } from '../../../src/host/doctor/diagnose.js'
import type { Finding } from '../../../src/host/doctor/finding.js'

const finding = (given: Partial<Finding>): Finding => ({
  group: 'tools',
  name: 'tcpdump',
  status: 'ok',
  required: true,
  neededFor: 'packets as evidence',
  ...given,
})
const diagnosis = (findings: Finding[], rootless = false): Diagnosis => ({
  ok: false,
  kernel: '6.1.0',
  architecture: 'x64',
  system: 'Debian GNU/Linux 12',
  rootless,
  findings,
})

t.test('marks, fixes and the verdict', (t) => {
  const text = describeDiagnosis(
    diagnosis([
      finding({ detail: '4.99.3' }),
      finding({ name: 'curl', status: 'missing', neededFor: 'steps', remedy: 'apt-get install curl' }),
      finding({
        name: 'nfacct',
        status: 'missing',
        required: false,
        detail: 'refused',
        neededFor: 'accounting',
      }),
      finding({ group: 'kernel', name: 'IPVS', status: 'unknown', required: false }),
    ]),
  )
  t.equal(
    text,
    `Linux 6.1.0 (x64), Debian GNU/Linux 12, root

Tools
  ✔ tcpdump  4.99.3
  ✖ curl     missing; needed for steps
             apt-get install curl
  – nfacct   refused; needed for accounting (optional)

Kernel
  – IPVS     not checked

This host cannot run labs: 1 requirement is missing; 1 optional requirement is missing.
`,
  )
  t.end()
})

t.test('a host that can run labs', (t) => {
  const optional = finding({ name: 'nft', status: 'missing', required: false })
  t.match(
    describeDiagnosis(diagnosis([finding({})], true)),
    /not root: labs run rootless\n[^]*\nThis host can run labs\.\n$/,
  )
  t.match(
    describeDiagnosis(diagnosis([optional, { ...optional, name: 'ping' }])),
    /\nThis host can run labs; 2 optional requirements are missing\.\n$/,
  )
  t.end()
})

t.test('long lines wrap within their column', (t) => {
  const detail = Array.from({ length: 30 }, (_, index) => `feature${index},`).join(' ')
  const lines = describeDiagnosis(diagnosis([finding({ detail })])).split('\n')
  t.ok(lines.every((line) => line.length <= 100))
  const at = lines.findIndex((line) => line.includes('feature0,'))
  t.ok(lines[at + 1]?.startsWith(`${' '.repeat(13)}feature`))
  t.match(lines.join(' ').replace(/\s+/g, ' '), detail)
  t.end()
})
