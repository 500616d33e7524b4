import t from 'tap'
import { ipvsCases } from '../agents/kubeProxy/ipvs/goldenIpvs.js'
import { ipvsLab } from './ipvsLab.js'
import { cannotReachIpvs, runOnIpvs, sectionsOf, writeFile } from './ipvsMachine.js'
import { checkRecording, recordingsScript } from './ipvsRecordings.js'

const labs = [
  'nodeport --mode ipvs',
  'proxy-modes --mode ipvs',
  'loadbalancer --mode ipvs',
  'ipvs-schedulers',
  '/tmp/ipvs-test/behaviour',
]
const seconds = 2400
t.setTimeout((seconds + 700) * 1000)

function script(): string {
  const { lab, manifests } = ipvsLab()
  const folder = '/tmp/ipvs-test/behaviour'
  return [
    recordingsScript(ipvsCases()),
    `mkdir -p ${folder}/manifests`,
    writeFile(`${folder}/lab.yaml`, lab) + writeFile(`${folder}/manifests/app.yaml`, manifests),
    ...labs.map(
      (args) => `echo '=== ${args}'; node dist/cli.cjs run ${args} --reporter tap 2>&1; echo "exit code $?"`,
    ),
    'rm -r /tmp/ipvs-test',
    '',
  ].join('\n')
}

t.test('on a kernel with IPVS', { skip: cannotReachIpvs, timeout: (seconds + 600) * 1000 }, (t) => {
  const { status, stdout, stderr } = runOnIpvs(script(), seconds)
  t.equal(status, 0, stderr)
  const sections = sectionsOf(stdout)
  t.test('what is loaded equals the recordings', (t) => {
    for (const recorded of ipvsCases()) checkRecording(t, recorded, sections)
    t.end()
  })
  for (const args of labs)
    t.test(`run ${args}`, (t) => {
      const said = sections.get(args) ?? ''
      t.match(said, /^TAP version 14/m)
      t.notMatch(said, /^ *not ok/m)
      t.match(said, /^exit code 0$/m)
      t.end()
    })
  t.end()
})
