import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { starterLab } from '../../src/commands/starterLab.js'
import { writeNewFolder } from '../../src/host/newFolder.js'
import type { LabResult } from '../../src/results/events.js'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

/** The lab of `vethlab init`, with its manifests changed as its README suggests. */
function changedLab(t: Test, changes: readonly (readonly [RegExp, string])[]): string {
  const lab = join(t.testdir({}), `starter-${process.pid}`)
  writeNewFolder(lab, starterLab('vethlab'))
  const app = join(lab, 'manifests/app.yaml')
  const before = readFileSync(app, 'utf8')
  const after = changes.reduce((text, [from, to]) => text.replace(from, to), before)
  t.not(after, before)
  writeFileSync(app, after)
  return lab
}

const twoReplicas = /replicas: 2/
const selector = /(?<=type: NodePort\n {2}selector:\n {4}app: )hello/

t.test('the suggestions of init break the lab, and its steps say why', { skip: cannotRun }, async (t) => {
  await t.test('externalTrafficPolicy Local and one replica', async (t) => {
    const lab = changedLab(t, [
      [twoReplicas, 'replicas: 1'],
      [/(?=type: NodePort)/, 'externalTrafficPolicy: Local\n  '],
    ])
    const { code, stdout } = await vethlab(['run', lab, '--reporter', 'json'])
    t.equal(code, 1)
    const [first, second, third] = (JSON.parse(stdout) as LabResult).steps
    t.match(first?.why, {
      code: 'external-policy-local',
      sentence: /^client calls node-b .* gets no answer: .*; the cause is in Service default\/hello, /,
      cause: /no ready pod of the Service is on node-b; there are pods on node-a$/,
      fix: 'call 172.18.0.2:30080, a node with a pod: node-a',
    })
    t.match(second?.why, { sentence: /^client calls node-a .*, which answers$/, code: undefined })
    t.equal(third?.ok, true)
    t.equal(third?.why, undefined)
  })

  await t.test('a selector that matches no pod, in a lab that is removed', async (t) => {
    const { code, stdout } = await vethlab(['run', changedLab(t, [[selector, 'helo']])])
    t.equal(code, 1)
    t.equal(
      stdout.match(/^ {6}fix +Service default\/hello: spec\.selector: app=helo → app=hello/gm)?.length,
      3,
    )
    t.match(stdout, /^ {6}why +client calls node-b /m)
    t.match(stdout, /^ {6}explain +vethlab explain selector-matches-nothing$/m)
    t.notMatch(stdout, 'vethlab exec', 'no command for a lab that is removed')
  })

  await t.test('a lab that is kept: the commands that look into it and fix it', async (t) => {
    const lab = changedLab(t, [[selector, 'helo']])
    const name = basename(lab)
    t.teardown(() => vethlab(['down', name]))
    const { stdout } = await vethlab(['run', lab, '--keep'])
    t.match(stdout, `look      vethlab exec ${name} node-b -- `)
    t.match(stdout, `vethlab kubectl ${name} patch service/hello -p '{"spec":{"selector":{"app":"hello"}}}'`)
  })
})
