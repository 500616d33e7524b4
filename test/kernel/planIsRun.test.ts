import t, { type Test } from 'tap'
import { ModeNotHereError } from '../../src/errors.js'
import { assumedFacts } from '../../src/lab/plan/planFacts.js'
import { planLab } from '../../src/lab/plan/planLab.js'
import { prepareLab, type PreparedLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import { planFacts } from '../../src/lab/up/startLab.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'
import type { PlannedStage } from '../../src/topology/types.js'
import { cannotRun } from './ability.js'
import { labs } from './allLabs.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'
import { vethlab } from './servedCommands.js'
import { runs } from '../suite.js'

/** Starts a lab and checks that it ran the stages of its plan, each once, after those that it waits for. */
async function runsItsPlan(t: Test, prepared: PreparedLab): Promise<readonly PlannedStage[] | undefined> {
  const ran: PlannedStage[] = []
  const options = { capture: false, healthz: true, onStage: (stage: PlannedStage) => void ran.push(stage) }
  const check = async ({ machine, sandbox }: RunningLab) => {
    const { stages } = planLab(prepared, planFacts(machine, sandbox, options))
    const byName = new Map(ran.map((stage) => [stage.name, stage]))
    t.equal(byName.size, ran.length, 'each stage is run once')
    t.strictSame(
      stages.map(({ name }) => byName.get(name)),
      stages,
    )
    t.equal(ran.length, stages.length, 'nothing else is run')
    for (const [index, { name, after }] of ran.entries()) {
      const before = ran.slice(0, index).map((stage) => stage.name)
      for (const one of after) t.ok(before.includes(one), `"${name}" is run after "${one}"`)
    }
    for (const { path, text } of stages.flatMap(configurations))
      t.equal(sandbox.inside.read(path), text, `${path} is what a proxy reads`)
    return stages
  }
  return withRunningLab(prepared, options, check).catch((error: unknown) => {
    if (!(error instanceof ModeNotHereError)) throw error
    t.pass('the lab runs its plan', { skip: error.reason })
    return undefined
  })
}

/** The files of ingress controllers, as far as they are printed whole. */
function configurations({ files }: PlannedStage): PlannedStage['files'] {
  return files.filter(({ path, holdsKeys }) => path.includes('/generations/') && holdsKeys !== true)
}

/** In `npm test` the labs that have a stage which no lab before them has. */
const chosen = runs(labs.length, 0) > 0 ? labs : labsWithNewStages()

function labsWithNewStages(): typeof labs {
  const seen = new Set<string>()
  return labs.filter(({ directory }) => {
    const names = planLab(prepareLab(directory), assumedFacts()).stages.map(({ name }) => name)
    const isNew = names.some((name) => !seen.has(name))
    for (const name of names) seen.add(name)
    return isNew
  })
}

t.test('labs run their plans', { skip: cannotRun }, async (t) => {
  for (const { directory, name } of chosen)
    await t.test(name, async (t) => void (await runsItsPlan(t, prepareLab(directory))))
})

t.test('a lab with a kube-proxy of its own runs its plan', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const stages = await runsItsPlan(t, prepareLab('nodeport', { kubeProxyBinary: make(['--like', '1.36']) }))
  t.ok(stages?.some(({ name }) => name === 'kube-proxy of the nodes'))
})

t.test('`vethlab plan` prints that value', async (t) => {
  for (const { directory, name } of chosen.slice(0, runs(labs.length, 2))) {
    const { stages } = planLab(prepareLab(directory), assumedFacts())
    const { stdout } = await vethlab(['plan', directory, '--json'])
    t.strictSame(JSON.parse(stdout), JSON.parse(JSON.stringify({ stages })), name)
  }
})
