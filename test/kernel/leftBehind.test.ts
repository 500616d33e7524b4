import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { basename } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab, start, vethlab } from './commandLine.js'
import { commandLineOf, machineState, pidNamespace, processesIn, processesWith } from './machineState.js'
import { runs } from '../suite.js'
import { until } from '../until.js'

t.test('a run leaves the machine as it was, and no file', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const lab = copyOfLab(t, 'nodeport')
  const folder = t.testdir()
  const { code, stdout, stderr } = await vethlab(['run', lab], { env: { TMPDIR: folder, HOME: folder } })
  t.equal(code, 0, `${stdout}${stderr}`)
  t.strictSame(machineState(), before)
  t.strictSame(processesWith(basename(lab)), [])
  t.strictSame(readdirSync(folder), [])
})

/** The PID namespace of a lab's sandbox, if it has one. */
function namespaceOf(lab: string): string | undefined {
  return processesWith(basename(lab))
    .map(pidNamespace)
    .find((namespace) => namespace !== undefined && namespace !== pidNamespace(process.pid))
}

t.test('runs killed at random moments leave nothing behind', { skip: cannotRun }, async (t) => {
  const before = machineState()
  const lab = copyOfLab(t, 'nodeport')
  const rounds = runs(100, 2)
  const begin = performance.now()
  await vethlab(['run', lab])
  const whole = performance.now() - begin
  let caughtAlive = 0
  for (let round = 0; round < rounds; round++) {
    const run = start(['run', lab])
    // the first one as soon as it has a sandbox, however busy the host is; the others at any moment
    if (round === 0) await until(() => namespaceOf(lab) !== undefined)
    else await Promise.race([delay(Math.random() * whole), run.ended])
    const namespace = namespaceOf(lab)
    if (namespace !== undefined) caughtAlive++
    run.kill('SIGKILL')
    await run.ended
    const gone = () =>
      processesWith(basename(lab)).length === 0 &&
      (namespace === undefined || processesIn(namespace).length === 0)
    if (!(await until(gone)))
      t.fail(`round ${round}: processes remain`, { left: processesWith(basename(lab)) })
  }
  t.ok(caughtAlive > 0, `${caughtAlive} of ${rounds} were killed with a sandbox`)
  t.strictSame(machineState(), before)
})

for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  t.test(`${signal} in the middle ends a run at once, with nothing left`, { skip: cannotRun }, async (t) => {
    const before = machineState()
    const lab = copyOfLab(t, 'nodeport')
    const run = start(['run', lab])
    t.ok(await until(() => sandboxOf(lab).length > 5), 'tools run in the sandbox')
    run.kill(signal)
    const { code, stderr } = await run.ended
    t.equal(code, expected, stderr)
    t.notMatch(stderr, /\bat .*:\d+:\d+/, 'no stack trace')
    t.strictSame(processesWith(basename(lab)), [])
    t.strictSame(machineState(), before)
  })
}

/** The processes in the sandbox of a lab; the one that ends it comes first. */
function sandboxOf(lab: string): number[] {
  const first = processesWith(basename(lab)).find((pid) => pidNamespace(pid) !== pidNamespace(process.pid))
  if (first === undefined) return []
  return [first, ...processesIn(pidNamespace(first) ?? '').filter((pid) => pid !== first)]
}

const victims = {
  'the first process': (_words: string, index: number) => index === 0,
  'a tcpdump': (words: string) => words.startsWith('tcpdump'),
}

for (const [name, isVictim] of Object.entries(victims)) {
  t.test(
    `${name} that dies in the middle fails the lab, and nothing remains`,
    { skip: cannotRun },
    async (t) => {
      const before = machineState()
      const lab = copyOfLab(t, 'nodeport')
      const run = start(['run', lab])
      const kill = () => {
        const all = sandboxOf(lab)
        const victim = all.length > 5 && all.find((pid, index) => isVictim(commandLineOf(pid), index))
        return typeof victim === 'number' && process.kill(victim, 'SIGKILL')
      }
      t.ok(await until(kill), 'it runs in the sandbox')
      const { code, stdout, stderr } = await run.ended
      t.equal(code, 1, `${stdout}${stderr}`)
      t.notMatch(stderr, /\bat .*:\d+:\d+/, 'no stack trace')
      t.strictSame(machineState(), before)
    },
  )
}
