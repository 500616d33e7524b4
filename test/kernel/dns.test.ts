import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepareLab } from '../../src/lab/prepareLab.js'
import { runLab } from '../../src/lab/runLab.js'
import { startLab } from '../../src/lab/startLab.js'
import { cannotRun } from './ability.js'

const lab = 'labs/headless-and-externalname'

for (const families of ['IPv4', 'IPv6', 'IPv4, IPv6'])
  t.test(`names in a cluster of ${families}`, { skip: cannotRun }, async (t) => {
    const cwd = t.testdir({ lab: {} })
    cpSync(lab, join(cwd, 'lab'), { recursive: true })
    const file = join(cwd, 'lab/lab.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('topology:\n', `topology:\n  families: [${families}]\n`))
    const { steps } = await runLab('lab', { cwd })
    t.ok(steps.length > 10)
    t.same(
      steps.flatMap(({ name, checks }) => checks.filter(({ ok }) => !ok).map((check) => ({ name, check }))),
      [],
    )
  })

t.test('the answer after a change is that of the changed cluster', { skip: cannotRun }, async (t) => {
  const started = await startLab(prepareLab('headless-and-externalname'), { capture: false })
  t.teardown(() => started.close())
  const toolbox = started.prepared.topology.places.find(({ name }) => name === 'toolbox')
  if (toolbox === undefined) throw new Error('the lab has no toolbox')
  const address = async (name: string) =>
    (await started.exec(toolbox, ['dig', '+short', `${name}.default.svc.cluster.local`, 'ANY'])).stdout
  t.not(await address('front'), '')
  await started.live.change({
    kind: 'delete',
    objects: [{ kind: 'Service', namespace: 'default', name: 'front' }],
  })
  t.equal(await address('front'), '')
})
