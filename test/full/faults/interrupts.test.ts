import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { cannotRun } from '../../kernel/ability.js'
import { copyOfLab, vethlab, type Ended, type Started } from '../../kernel/commandLine.js'
import { fakeKubeProxy } from '../../kernel/fakeKubeProxy.js'
import { cannotLoadNft } from '../../kernel/loadNft.js'
import { machineState } from '../../kernel/machineState.js'
import { isFull, runs } from '../../suite.js'
import { until } from '../../until.js'
import { fault, type FaultTest } from './faultTable.js'
import { hasSandbox, moments, nothingLeft } from './kill.js'
import { longSteps, webManifest } from './longSteps.js'
import { pick, random, rounds, seed, spread } from './rounds.js'
import { groupSteps, stepsOfLabs, type LabStep } from './stepKinds.js'
import { cannotWatch, watched, type Watched } from './watched.js'

t.setTimeout(2_600_000)
const options = { skip: cannotRun || cannotWatch, timeout: 2_500_000 }
t.comment(`figure: seed ${seed}`)

/** Most people press Ctrl-C; a service manager sends SIGTERM, a terminal that is closed SIGHUP. */
const signals = ['SIGINT', 'SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const
const codes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

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

/** Of every fourth action, by the seed, the step that is reached first, for `npm test`; few kernels have mode ipvs. */
function firstOfActions(steps: readonly LabStep[]): LabStep[] {
  const common = steps.filter(({ setting }) => !setting.includes('ipvs'))
  const byAction = [...groupSteps(common, ({ action }) => action).values()]
  return byAction
    .filter((_, index) => index % 4 === seed % 4)
    .flatMap((same) => same.toSorted((a, b) => a.before - b.before).slice(0, 1))
}

/** Of each action in each setting the step that comes last in its lab, and another one. */
function twoOfEachKind(steps: readonly LabStep[]): LabStep[] {
  return [...groupSteps(steps, kindOf).values()].flatMap((same) => {
    const [last, ...others] = same.toSorted((a, b) => b.index - a.index)
    return [last, others[Math.floor(random(kindOf(same[0])) * others.length)]].filter(
      (one) => one !== undefined,
    )
  })
}

function kindOf(step: LabStep | undefined): string {
  return step === undefined ? '' : `${step.action} (${step.setting})`
}

fault('faults/interrupts', 'run is interrupted at a step', options, async (t, row) => {
  const before = machineState()
  const make = await fakeKubeProxy(t)
  const kubeProxyBinary = make(['--like', '1.36'])
  const steps = stepsOfLabs({ kubeProxyBinary, nftables: cannotLoadNft() === false })
  const chosen = isFull ? twoOfEachKind(steps) : firstOfActions(steps)
  // what takes longest begins first
  chosen.sort((a, b) => b.before - a.before)
  const durations: number[] = []
  const kinds = new Set<string>()
  const cannot = new Set<string>()
  let slowest = { took: 0, what: '' }
  await rounds(
    t,
    chosen.length,
    (ground) => ground,
    async (ground, round) => {
      const step = chosen[round]
      if (step === undefined) return
      const { lab, args, index, name } = step
      const run = ground.start(['run', ...args, '--reporter', 'events'])
      const isBegun = run.says(`"step":${JSON.stringify(name)},"index":${index}}`).then(
        () => true,
        () => false,
      )
      if (!(await isBegun)) {
        const { code, stderr } = await run.ended
        if (code === 3) cannot.add(lab)
        else t.fail(`${lab} does not begin step ${index + 1}, and ends with ${code}`, { stderr })
        return
      }
      await delay(random(`${lab} ${index}`) * 50)
      const signal = pick(signals, `signal ${lab} ${index}`)
      const what = `${signal} at step ${index + 1} of ${lab}, ${kindOf(step)}`
      const { took } = await interrupted(t, row, ground, { run, signal, what })
      durations.push(took)
      kinds.add(kindOf(step))
      if (took > slowest.took) slowest = { took, what }
    },
  )
  t.ok(durations.length > chosen.length / 2, `labs that cannot be run here: ${[...cannot].join(', ')}`)
  t.comment(
    `figure: ${durations.length} interrupts at ${kinds.size} kinds of steps: ${spread(durations)} to end (${slowest.what})`,
  )
  if (cannot.size > 0)
    t.comment(`figure: not interrupted, for this host cannot run them: ${[...cannot].join(', ')}`)
  t.strictSame(machineState(), before)
})

const fullOnly = { ...options, fullOnly: true }

fault(
  'faults/interrupts',
  'run is interrupted at a step that lasts ten minutes',
  fullOnly,
  async (t, row) => {
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
  },
)

for (const [name, argsOf, count] of [
  [
    'mutate is interrupted',
    (lab: string) => ['mutate', lab, '--rule', 'KUBE-SEP-*', '--jobs', '2'],
    runs(20, 0),
  ],
  [
    'run of several labs is interrupted',
    (lab: string) => ['run', lab, 'host-port', '--jobs', '2'],
    runs(20, 1),
  ],
] as const) {
  fault('faults/interrupts', name, { ...options, fullOnly: count === 0 }, async (t, row) => {
    const before = machineState()
    const at = moments()
    const durations: number[] = []
    const prepare = (ground: Watched) => ({ ...ground, lab: copyOfLab(t, 'nodeport') })
    await rounds(t, count, prepare, async (ground, round) => {
      const run = ground.start(argsOf(ground.lab))
      await at.reached(run, `${name} ${round}`, () => hasSandbox(ground))
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
  const commands = makers.slice(0, runs(makers.length, 1))
  const hung = ['unshare', 'ip'].flatMap((tool) => commands.map((args) => ({ tool, args })))
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
  if (isFull) durations.push(await traceInterrupted(t, row))
  t.ok(Math.max(...durations) < 30_000, 'none waits for the tool')
  t.comment(`figure: ${durations.length} interrupts while a tool hangs: ${spread(durations)} to end`)
  t.strictSame(machineState(), before)
})

/** Interrupts `trace` while its tool hangs; resolves with how long it took to end. */
async function traceInterrupted(t: Test, row: FaultTest): Promise<number> {
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
  return (await interrupted(t, row, ground, traced)).took
}

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
