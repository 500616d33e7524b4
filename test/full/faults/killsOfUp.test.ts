import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab, type Ended } from '../../kernel/commandLine.js'
import { machineState } from '../../kernel/machineState.js'
import { isFull, runs } from '../../suite.js'
import { fault } from './faultTable.js'
import { hasSandbox, moments, nothingLeft } from './kill.js'
import { pick, random, rounds, seed } from './rounds.js'
import { cannotWatch, type Watched } from './watched.js'

t.setTimeout(1_800_000)
const options = { skip: cannotRun || cannotWatch, timeout: 900_000 }
t.comment(`figure: seed ${seed}`)

fault('faults/killsOfUp', 'up is killed', options, async (t, row) => {
  const before = machineState()
  const at = moments()
  let up = 0
  const count = runs(100, 1)
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  await rounds(t, count, prepare, async (ground, round) => {
    const run = ground.start(['up', ground.lab])
    const { code, signal, stderr } = await at.kill(run, `${row.name} ${round}`, () => hasSandbox(ground))
    if (signal !== 'SIGKILL') row.ended(code, stderr)
    // either the lab goes with the command, or it is a lab that is up like any other
    const lab = basename(ground.lab)
    if (await staysUp(ground, lab)) {
      up++
      // it may have been ending
      const { code, stderr } = await ground.run(['down', lab])
      if (code !== 0) t.match(stderr, 'is not running', `kill ${round}`)
    }
    await nothingLeft(t, ground, `kill ${round}`)
  })
  t.comment(`figure: kills of up: ${at.count()}, ${up} with the lab complete`)
  t.strictSame(machineState(), before)
})

/** Whether a lab is up for good: `ps` lists it. False once nothing of it runs. */
async function staysUp(ground: Watched, lab: string): Promise<boolean> {
  while (ground.processes().size > 0) {
    const { stdout } = await ground.run(['ps', '--json'])
    if ((JSON.parse(stdout) as { lab: string }[]).some((one) => one.lab === lab)) return true
  }
  return false
}

fault('faults/killsOfUp', 'the process that holds a lab is killed', options, async (t, row) => {
  const before = machineState()
  const at = moments()
  let whileUp = 0
  const count = runs(100, 1)
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  await rounds(t, count, prepare, async (ground, round) => {
    const lab = basename(ground.lab)
    const up = ground.start(['up', ground.lab])
    // some of the kills are of a lab that is up, while it carries out an order
    const others: Promise<Ended>[] = []
    if (round % 3 === 0) {
      whileUp++
      await up.ended
      const order = pick(
        [
          ['kubectl', '--built-in', lab, 'scale', 'deployment/my-app', '--replicas', '3'],
          ['kubectl', '--built-in', lab, 'get', 'pods'],
        ],
        `order ${round}`,
      )
      others.push(ground.run(order))
      await delay(random(`within ${round}`) * 600)
    } else await at.reached(up, `holder ${round}`, () => hasSandbox(ground))
    for (const pid of holders(ground)) process.kill(pid, 'SIGKILL')
    for (const { code, stderr } of [await up.ended, ...(await Promise.all(others))]) row.ended(code, stderr)
    // one that was killed before it held anything has not been seen
    if (holders(ground).length > 0) await ground.run(['down', lab])
    await nothingLeft(t, ground, `kill ${round}`)
  })
  t.comment(`figure: kills of what holds a lab: ${count}, ${whileUp} with the lab up`)
  t.strictSame(machineState(), before)
})

function holders(ground: Watched): number[] {
  return [...ground.processes()].filter(([, words]) => / hold \S+ ?$/.test(words)).map(([pid]) => pid)
}

interface Exercised extends Watched {
  readonly name: string
  workshop(...args: readonly string[]): ReturnType<Watched['start']>
}

/** Checks of the first wait for answers that do not come; those of the second fail at once. */
const exercise = isFull ? 'after-hardening' : 'nobody-home'

function exercised(ground: Watched): Exercised {
  const name = `${exercise}-${basename(ground.folder).slice(-6).toLowerCase()}`
  cpSync(join('labs/exercises', exercise), join(ground.folder, 'labs/exercises', name), { recursive: true })
  return {
    ...ground,
    name,
    workshop: (...args) => ground.start(['workshop', ...args], { cwd: ground.folder }),
  }
}

fault('faults/killsOfUp', 'workshop start is killed', options, async (t, row) => {
  const before = machineState()
  const at = moments()
  let begun = 0
  const count = runs(60, 1)
  await rounds(t, count, exercised, async (ground, round) => {
    const run = ground.workshop('start', ground.name)
    await at.kill(run, `${row.name} ${round}`, () => hasSandbox(ground))
    if (await staysUp(ground, ground.name)) {
      // the exercise can be started again, and is broken then as it should be
      const again = await ground.workshop('start', ground.name).ended
      row.ended(again.code, again.stderr)
      const { code, stdout } = await ground.workshop('check').ended
      t.equal(code, 1, `kill ${round}: the lab is broken\n${stdout}`)
      begun++
      await ground.run(['down', ground.name])
    }
    if ((await ground.remaining()).length > 0) t.fail(`kill ${round}: processes remain`)
    t.strictSame(ground.files().filter(unexpected), [], `kill ${round}`)
  })
  t.comment(`figure: kills of workshop start: ${at.count()}, ${begun} with the lab complete`)
  t.strictSame(machineState(), before)
})

for (const [name, signals] of [
  ['workshop check is killed', ['SIGKILL']],
  ['workshop check is interrupted', ['SIGINT', 'SIGTERM', 'SIGHUP']],
] as const) {
  fault('faults/killsOfUp', name, options, async (t, row) => {
    const before = machineState()
    const at = moments()
    const count = runs(60, 1)
    const prepare = async (ground: Watched) => {
      const all = exercised(ground)
      t.equal((await all.workshop('start', all.name).ended).code, 0)
      return { ...all, begun: all.processes().size }
    }
    const used: Exercised[] = []
    await rounds(t, count, prepare, async (ground, round) => {
      if (!used.includes(ground)) used.push(ground)
      const run = ground.workshop('check')
      await at.reached(run, `${name} ${round}`, () => hasSandbox(ground, ground.begun + 1))
      const sent = pick(signals, `signal ${name} ${round}`)
      run.kill(sent)
      const { code, signal, stderr } = await run.ended
      if (signal !== sent) row.ended(code, stderr)
      t.strictSame(ground.files().filter(unexpected), [], `${name} ${round}`)
    })
    for (const ground of used) {
      const { code, stdout, stderr } = await ground.workshop('check').ended
      t.equal(code, 1, `the lab answers: ${stdout}${stderr}`)
      t.equal((await ground.run(['down', ground.name])).code, 0)
      t.strictSame(await ground.remaining(), [])
    }
    t.comment(`figure: ${name}: ${at.count()}`)
    t.strictSame(machineState(), before)
  })
}

/** The progress is kept, and can be read. */
function unexpected(file: string): boolean {
  if (file.endsWith('/workshop.json')) JSON.parse(readFileSync(file, 'utf8'))
  return !/\/vethlab\/workshop\.json(\.\d+\.new)?$/.test(file)
}
