import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { cannotRun } from '../kernel/ability.js'
import { copyOfLab } from '../kernel/commandLine.js'
import { machineState } from '../kernel/machineState.js'
import { runs } from '../suite.js'
import { fault } from './faultTable.js'
import { killAt, lengths, momentOf, nothingLeft } from './kill.js'
import { rounds, seed } from './rounds.js'
import { cannotWatch, type Watched } from './watched.js'

t.setTimeout(1_800_000)
const options = { skip: cannotRun || cannotWatch, timeout: 900_000 }
t.comment(`figure: seed ${seed}`)

/** Of different processes: echo servers, two kinds of proxies, containers with files of their own; and short ones. */
const kinds = ['nodeport', 'host-port', 'ingress-tls', 'pod-network'] as const

fault('kills', 'run is killed', options, async (t, row) => {
  const before = machineState()
  const whole = await lengths(
    t,
    kinds.map((lab) => ['run', copyOfLab(t, lab)]),
  )
  let alive = 0
  const count = runs(240, 9)
  const prepare = (ground: Watched) => ({ ...ground, labs: kinds.map((lab) => copyOfLab(t, lab)) })
  await rounds(t, count, prepare, async (ground, round) => {
    const which = round % kinds.length
    const run = ground.start(['run', ground.labs[which] ?? ''])
    await Promise.race([delay(momentOf(round, count, whole[which] ?? 0)), run.ended])
    if (ground.processes().size > 1) alive++
    run.kill('SIGKILL')
    const { code, signal, stderr } = await run.ended
    if (signal !== 'SIGKILL') row.ended(code, stderr)
    await nothingLeft(t, ground, `kill ${round} of ${kinds[which]}`)
  })
  t.ok(alive > count / 2, `${alive} of ${count} had processes beside the command`)
  t.comment(`figure: ${count} kills of run, ${alive} with a lab of several processes`)
  t.strictSame(machineState(), before)
})

fault('kills', 'mutate is killed', options, async (t, row) => {
  const before = machineState()
  const args = (lab: string) => ['mutate', lab, '--rule', 'KUBE-SEP-*', '--jobs', '2']
  const [whole = 0] = await lengths(t, [args(copyOfLab(t, 'nodeport'))])
  const count = runs(50, 9)
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  await rounds(t, count, prepare, async (ground, round) => {
    const run = ground.start(args(ground.lab))
    const { code, signal, stderr } = await killAt(run, round, count, whole)
    if (signal !== 'SIGKILL') row.ended(code, stderr)
    await nothingLeft(t, ground, `kill ${round}`)
  })
  t.comment(`figure: ${count} kills of mutate`)
  t.strictSame(machineState(), before)
})
