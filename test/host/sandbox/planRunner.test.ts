import t from 'tap'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { planRunner } from '../../../src/host/sandbox/runPlan.js'
import type { PlannedStage } from '../../../src/topology/types.js'

const stage = (name: string, ...after: string[]): PlannedStage => ({ name, after, files: [], commands: [] })
const unused = fakeSandbox()

t.test('a stage runs once, when all that it waits for are done', async (t) => {
  const log: string[] = []
  const run = planRunner(unused, { onStage: ({ name }) => void log.push(`${name} starts`) })
  const logs =
    (turns: number) =>
    async ({ name }: { name: string }) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      log.push(`${name} ends`)
    }
  const runners = { first: logs(1), slow: logs(50), quick: logs(1), last: logs(1) }
  await run([stage('first')], runners)
  await run([stage('first'), stage('slow', 'first'), stage('quick'), stage('last', 'slow', 'quick')], runners)
  t.strictSame(log, [
    ...['first starts', 'first ends', 'slow starts', 'quick starts', 'quick ends', 'slow ends'],
    ...['last starts', 'last ends'],
  ])
})

t.test('what waits for a stage that fails is not run', async (t) => {
  const started: string[] = []
  const run = planRunner(unused, { onStage: ({ name }) => void started.push(name) })
  const fails = () => Promise.reject(new Error('it fails'))
  await t.rejects(run([stage('one'), stage('two', 'one')], { one: fails }), { message: 'it fails' })
  await t.rejects(run([stage('three', 'none')]), { message: /no stage "none"/ })
  t.strictSame(started, ['one'])
})
