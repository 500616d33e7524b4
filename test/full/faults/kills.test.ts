import t from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab } from '../../kernel/commandLine.js'
import { machineState } from '../../kernel/machineState.js'
import { runs } from '../../suite.js'
import { fault } from './faultTable.js'
import { hasSandbox, moments, nothingLeft } from './kill.js'
import { rounds, seed } from './rounds.js'
import { cannotWatch, type Watched } from './watched.js'

t.setTimeout(1_800_000)
const options = { skip: cannotRun || cannotWatch, timeout: 900_000 }
t.comment(`figure: seed ${seed}`)

/** Of different processes: echo servers, two kinds of proxies, containers with files of their own; and short ones. */
const kinds = ['nodeport', 'host-port', 'ingress-tls', 'pod-network'] as const

fault('faults/kills', 'run is killed', options, async (t, row) => {
  const before = machineState()
  const at = kinds.map(() => moments())
  let alive = 0
  const count = runs(320, kinds.length)
  const prepare = (ground: Watched) => ({ ...ground, labs: kinds.map((lab) => copyOfLab(t, lab)) })
  await rounds(t, count, prepare, async (ground, round) => {
    const which = round % kinds.length
    const run = ground.start(['run', ground.labs[which] ?? ''])
    await at[which]?.reached(run, `run ${round}`, () => hasSandbox(ground))
    if (ground.processes().size > 1) alive++
    run.kill('SIGKILL')
    const { code, signal, stderr } = await run.ended
    if (signal !== 'SIGKILL') row.ended(code, stderr)
    await nothingLeft(t, ground, `kill ${round} of ${kinds[which]}`)
  })
  // moments are random, and on a slow host most of a run is the start of Node
  t.ok(alive > count / 10, `${alive} of ${count} had processes beside the command`)
  t.comment(`figure: kills of run: ${count}, ${alive} of them with a lab of several processes`)
  t.strictSame(machineState(), before)
})

fault('faults/kills', 'mutate is killed', options, async (t, row) => {
  const before = machineState()
  const args = (lab: string) => ['mutate', lab, '--rule', 'KUBE-SEP-*', '--jobs', '2']
  const at = moments()
  const count = runs(60, 1)
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  await rounds(t, count, prepare, async (ground, round) => {
    const run = ground.start(args(ground.lab))
    const { code, signal, stderr } = await at.kill(run, `mutate ${round}`, () => hasSandbox(ground))
    if (signal !== 'SIGKILL') row.ended(code, stderr)
    await nothingLeft(t, ground, `kill ${round}`)
  })
  t.comment(`figure: kills of mutate: ${at.count()}`)
  t.strictSame(machineState(), before)
})
