import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab, vethlab, type Ended, type Started } from '../../kernel/commandLine.js'
import { machineState } from '../../kernel/machineState.js'
import { runs } from '../../suite.js'
import { until } from '../../until.js'
import { fault, type FaultTest } from './faultTable.js'
import { moments, nothingLeft } from './kill.js'
import { longSteps, webManifest } from './longSteps.js'
import { pick, random, rounds, seed, spread } from './rounds.js'
import { cannotWatch, watched, type Watched } from './watched.js'

t.setTimeout(2_600_000)
const options = { skip: cannotRun || cannotWatch, timeout: 2_500_000 }
t.comment(`figure: seed ${seed}`)

/** Most people press Ctrl-C; a service manager sends SIGTERM, a terminal that is closed SIGHUP. */
const signals = ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const
const codes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** A step of a lab that a run begins. */
interface Begun {
  readonly lab: string
  readonly index: number
  /** How the event of its begin ends. */
  readonly mark: string
}

/** The steps that runs of a lab begin: none where this host cannot run it. */
async function stepsOf(ground: Watched, lab: string): Promise<Begun[]> {
  const { code, stdout, stderr } = await ground.run(['run', lab, '--reporter', 'events'])
  if (code === 3) return []
  if (code !== 0) throw new Error(`${lab} exits with ${code}: ${stderr}`)
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{"type":"step-start"'))
    .map((line) => JSON.parse(line) as { step: string; index: number })
    .map(({ step, index }) => ({ lab, index, mark: `"step":${JSON.stringify(step)},"index":${index}}` }))
}

/** Sends a signal; resolves with the end and how long it took. Fails when the command does not end, or not as it should. */
async function interrupted(
  t: Test,
  row: FaultTest,
  ground: Watched,
  { run, signal, what }: { run: Started; signal: NodeJS.Signals; what: string },
): Promise<{ ended: Ended; took: number }> {
  const begin = performance.now()
  run.kill(signal)
  const ended = await run.ended
  const took = performance.now() - begin
  // before its handlers are there a command ends by the signal itself: to a shell it is the same code
  const code = ended.signal === signal ? codes[signal] : ended.code
  // the last step may end before the signal arrives
  const complete = ended.code === 0 && ended.stdout.includes('"type":"lab-end"')
  if (!complete) row.ended(code ?? null, `${what}: ${ended.stderr}`)
  if (code !== 0 && code !== codes[signal]) t.fail(`${what}: ${code} after ${signal}`)
  if (/\n? +at .*:\d+:\d+/.test(ended.stderr)) t.fail(`${what}: a stack trace`, { stderr: ended.stderr })
  // what a learner has done is kept
  ground.files().forEach((file) => file.endsWith('/workshop.json') && rmSync(file))
  await nothingLeft(t, ground, what)
  return { ended, took }
}

fault('faults/interrupts', 'run is interrupted at a step', options, async (t, row) => {
  const before = machineState()
  const labs = readdirSync('labs').filter((lab) => existsSync(join('labs', lab, 'lab.yaml')))
  const steps: Begun[] = []
  const cannot: string[] = []
  await rounds(
    t,
    labs.length,
    (ground) => ground,
    async (ground, round) => {
      const lab = labs[round] ?? ''
      const begun = await stepsOf(ground, lab)
      if (begun.length === 0) cannot.push(lab)
      steps.push(...begun)
    },
  )
  t.ok(labs.length - cannot.length >= 30, `${cannot.length} labs cannot be run here`)
  // later steps come first: they take longest
  const chosen = steps.filter(({ lab, index }) => random(`${lab} ${index}`) < runs(100, 5) / 100)
  chosen.sort((a, b) => b.index - a.index)
  const durations: number[] = []
  let slowest = { took: 0, what: '' }
  await rounds(
    t,
    chosen.length,
    (ground) => ground,
    async (ground, round) => {
      const { lab, index, mark } = chosen[round] ?? { lab: '', index: 0, mark: '' }
      const run = ground.start(['run', lab, '--reporter', 'events'])
      await run.says(mark)
      await delay(random(`${lab} ${index}`) * 50)
      const signal = pick(signals, `signal ${lab} ${index}`)
      const what = `${signal} at step ${index + 1} of ${lab}`
      const { took } = await interrupted(t, row, ground, { run, signal, what })
      durations.push(took)
      if (took > slowest.took) slowest = { took, what }
    },
  )
  t.ok(chosen.length > 0)
  t.comment(
    `figure: ${chosen.length} interrupts at ${steps.length} steps of ${labs.length - cannot.length} labs: ${spread(durations)} to end (${slowest.what})`,
  )
  if (cannot.length > 0)
    t.comment(`figure: not interrupted, for this host cannot run them: ${cannot.join(', ')}`)
  t.strictSame(machineState(), before)
})

fault('faults/interrupts', 'run is interrupted at a step that lasts ten minutes', options, async (t, row) => {
  const before = machineState()
  const kinds = Object.entries(longSteps)
  const durations: number[] = []
  await rounds(
    t,
    kinds.length,
    (ground) => ground,
    async (ground, round) => {
      const [kind = '', lab = ''] = kinds[round] ?? []
      const folder = join(ground.folder, `long-${round}`)
      mkdirSync(join(folder, 'manifests'), { recursive: true })
      writeFileSync(join(folder, 'manifests/web.yaml'), webManifest)
      writeFileSync(join(folder, 'lab.yaml'), lab)
      const run = ground.start(['run', folder, '--reporter', 'events'])
      await run.says('"step":"lasts"')
      await delay(random(kind) * 500)
      const { ended, took } = await interrupted(t, row, ground, { run, signal: 'SIGINT', what: kind })
      t.equal(ended.code, 130, kind)
      durations.push(took)
    },
  )
  t.comment(`figure: ${kinds.length} kinds of steps that last ten minutes: ${spread(durations)} to end`)
  t.strictSame(machineState(), before)
})

for (const [name, argsOf, count] of [
  [
    'mutate is interrupted',
    (lab: string) => ['mutate', lab, '--rule', 'KUBE-SEP-*', '--jobs', '2'],
    runs(20, 4),
  ],
  [
    'run of several labs is interrupted',
    (lab: string) => ['run', lab, 'host-port', '--jobs', '2'],
    runs(20, 4),
  ],
] as const) {
  fault('faults/interrupts', name, options, async (t, row) => {
    const before = machineState()
    const at = moments()
    const durations: number[] = []
    const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
    await rounds(t, count, prepare, async (ground, round) => {
      const run = ground.start(argsOf(ground.lab))
      await at.reached(run, `${name} ${round}`)
      const signal = pick(signals, `${name} ${round}`)
      const { ended, took } = await interrupted(t, row, ground, { run, signal, what: `${name} ${round}` })
      if (ended.code !== 0) durations.push(took)
    })
    t.comment(`figure: ${count} times ${name}: ${spread(durations)} to end`)
    t.strictSame(machineState(), before)
  })
}

/** Commands that make a sandbox; `LAB` is a copy of the lab nodeport. */
const makers = [
  ['run', 'LAB'],
  ['run', 'LAB', 'host-port', '--jobs', '2'],
  ['run', 'LAB', '--compare'],
  ['run', 'LAB', '--keep'],
  ['up', 'LAB'],
  ['mutate', 'LAB'],
  ['workshop', 'start', 'after-hardening'],
  ['doctor'],
]

const hangsIn = (ground: Watched) =>
  [...ground.processes().values()].some((words) => /^sleep .?1000/.test(words))

fault('faults/interrupts', 'a command is interrupted while a tool hangs', options, async (t, row) => {
  const before = machineState()
  const durations: number[] = []
  const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
  const hung = ['unshare', 'ip'].flatMap((tool) => makers.map((args) => ({ tool, args })))
  await rounds(t, hung.length, prepare, async (ground, round) => {
    const { tool, args } = hung[round] ?? { tool: '', args: [] }
    const bin = mkdtempSync(join(ground.folder, 'bin-'))
    chmodSync(ground.folder, 0o755)
    chmodSync(bin, 0o755)
    writeFileSync(join(bin, tool), '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 })
    const run = ground.start(
      args.map((word) => word.replace('LAB', ground.lab)),
      { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } },
    )
    await until(() => hangsIn(ground))
    const signal = pick(signals, `${tool} ${round}`)
    const what = `${args.join(' ')} while ${tool} hangs`
    durations.push((await interrupted(t, row, ground, { run, signal, what })).took)
  })
  // nothing but the folder of the lab is visible in it
  const path = copyOfLab(t, 'nodeport')
  t.teardown(() => vethlab(['down', basename(path)]))
  t.equal((await vethlab(['up', path])).code, 0)
  const bin = join(path, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'nft'), '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 })
  const ground = watched(t)
  const run = ground.start(['trace', basename(path), 'client', 'http://172.18.0.2:30080/'], {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  })
  await until(() => hangsIn(ground))
  const traced = { run, signal: 'SIGINT', what: 'trace while nft hangs' } as const
  durations.push((await interrupted(t, row, ground, traced)).took)
  t.ok(Math.max(...durations) < 30_000, 'none waits for the tool')
  t.comment(`figure: ${durations.length} interrupts while a tool hangs: ${spread(durations)} to end`)
  t.strictSame(machineState(), before)
})

fault('faults/interrupts', 'ci is interrupted while no engine answers', options, async (t, row) => {
  const ground = watched(t)
  const socket = join(ground.folder, 'engine')
  const asked: Socket[] = []
  const server = createServer((one) => asked.push(one)).listen(socket)
  t.teardown(() => server.close())
  const run = ground.start(['ci', 'nodeport'], { env: { DOCKER_HOST: `unix://${socket}` } })
  await until(() => asked.length > 0)
  const { took } = await interrupted(t, row, ground, { run, signal: 'SIGINT', what: 'ci' })
  t.comment(`figure: ci without an answer of its engine: ${Math.round(took)} ms to end`)
  asked.forEach((one) => one.destroy())
})
