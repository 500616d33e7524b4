import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { labGroupName, labGroupOf, makeLabGroup } from '../../src/host/groups/labGroup.js'
import { joinSandbox } from '../../src/host/sandbox/sandbox.js'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { runPrepared } from '../../src/lab/steps/runPrepared.js'
import { cannotRun } from './ability.js'
import { copyOfLab, start } from './commandLine.js'
import { until } from '../until.js'

const probe = makeLabGroup()
if (typeof probe !== 'string') await probe.remove()
const skip = cannotRun || (typeof probe === 'string' && `no control groups here: ${probe}`)

/** The groups of labs that a process made, in one hierarchy. */
function groupsOf(pid: number): string[] {
  return ['/sys/fs/cgroup/pids/vethlab-labs', '/sys/fs/cgroup/vethlab-labs']
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => folder.includes(`/${pid}-`))
}

/** Runs a lab with one command, and returns its result; `whileItRuns` is called after the command. */
async function runCommand(t: Test, limits: string, script: string, whileItRuns: (group: string) => void) {
  const text = `limits: ${limits}\nsteps:\n  - name: s\n    command: ['sh', '-c', ${JSON.stringify(script)}]\n`
  const lab = prepareLab(join(t.testdir({ small: { 'lab.yaml': text } }), 'small'))
  return runPrepared(lab, {
    afterStep: () => {
      const [group = '', ...others] = groupsOf(process.pid)
      t.strictSame(others, [])
      whileItRuns(group)
      return Promise.resolve()
    },
  })
}

t.test('a fork bomb gets no more tasks than the lab has', { skip }, async (t) => {
  // the bomb may die down, but the loop surely ends the shell when no process can be started; in lab.yaml a brace is doubled
  const bomb = 'f() {{ f | f & }; f; while :; do sleep 1000 & done'
  const { ok, steps, notices } = await runCommand(t, '{tasks: 200}', bomb, (group) => {
    t.equal(readFileSync(join(group, 'pids.max'), 'utf8').trim(), '200')
    t.ok(Number(readFileSync(join(group, 'pids.current'), 'utf8')) <= 200)
    t.equal(spawnSync('true').status, 0, 'the host starts processes')
  })
  t.equal(ok, false)
  t.equal(steps.length, 1)
  t.match(notices.join('\n'), /could not be started because the lab reached its limit of tasks.*\(200\)/)
  t.strictSame(groupsOf(process.pid), [])
})

t.test('a program that needs more memory than the lab has is ended', { skip }, async (t) => {
  const { ok, notices } = await runCommand(t, '{memory: 128Mi}', 'tail /dev/zero', () => {
    t.equal(spawnSync('true').status, 0, 'the host starts processes')
  })
  t.equal(ok, false)
  t.match(notices.join('\n'), /was ended because the lab reached its limit of memory \(128 MiB\)/)
  t.strictSame(groupsOf(process.pid), [])
})

t.test('files that a lab writes count as its memory', { skip }, async (t) => {
  const { ok, notices } = await runCommand(t, '{memory: 128Mi}', 'cat /dev/zero >/tmp/full', () => undefined)
  t.equal(ok, false)
  t.match(notices.join('\n'), /limit of memory \(128 MiB\)/)
})

t.test('every process that enters a sandbox is in its group', { skip }, async (t) => {
  const nameOf = (pid = 0) => labGroupName(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))
  await withSandbox('lab-limits', {}, async (made) => {
    const sandbox = await made
    const name = nameOf(sandbox.pid)
    t.match(name, new RegExp(`^${process.pid}-`))
    t.ok(labGroupOf(sandbox.pid))
    t.equal(labGroupOf(process.pid), undefined, 'but not this one')
    for (const entered of [sandbox, joinSandbox(sandbox.pid, sandbox.rootless)]) {
      const sleep = entered.start(['sleep', '1000'])
      t.ok(await until(() => sleep.pid() !== undefined))
      const inside = sleep.pid() ?? 0
      t.equal(nameOf(inside), name)
      process.kill(inside, 'SIGKILL')
      await sleep.process
    }
  })
})

t.test('the group of a run that was killed is removed by the next one', { skip }, async (t) => {
  const run = start(['run', copyOfLab(t, 'nodeport')])
  const procs = (group: string) => readFileSync(join(group, 'cgroup.procs'), 'utf8').trim()
  t.ok(await until(() => groupsOf(run.pid).some((group) => procs(group) !== '')))
  const [group = ''] = groupsOf(run.pid)
  run.kill('SIGKILL')
  await run.ended
  const isEmpty = () => !existsSync(group) || readFileSync(join(group, 'cgroup.procs'), 'utf8').trim() === ''
  t.ok(await until(isEmpty), 'its processes have ended')
  await withSandbox('lab-limits', {}, async (made) => void (await made))
  t.equal(existsSync(group), false)
})
