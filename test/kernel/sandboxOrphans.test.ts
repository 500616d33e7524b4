import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { stringify } from 'yaml'
import { processAt, processesFrom } from '../../src/host/sandbox/processTree.js'
import { until } from '../../src/host/until.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { cannotRun } from './ability.js'
import { commandLineOf } from './machineState.js'

t.test('a daemon that ends takes nothing with it, and leaves no zombie', { skip: cannotRun }, async (t) => {
  const sandbox = await startSandbox('test')
  t.teardown(() => sandbox.stop())
  // the inner shell ends at once: its child is the sandbox's first process's from then on
  await sandbox.must('leaving an orphan', [
    'sh',
    '-c',
    'sleep 3600 </dev/null >/dev/null 2>&1 & echo $! >/run/pid',
  ])
  // a zombie can be signalled still: this ends when the first process has reaped it
  const end = 'kill "$(cat /run/pid)"; while kill -0 "$(cat /run/pid)" 2>/dev/null; do :; done'
  const ended = await sandbox.run(['sh', '-c', end], { timeoutMs: 120_000 })
  t.equal(ended.exitCode, 0, 'it is reaped')
  t.equal((await sandbox.run(['true'])).exitCode, 0, 'the sandbox stands')
})

const isRoot = process.getuid?.() === 0

for (const uid of isRoot ? [0, 65_534] : [undefined]) {
  t.test(
    `a lab of ${uid === 0 ? 'root' : 'a user'} cannot outlive its holder by stopping processes`,
    { skip: cannotRun },
    async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'vethlab-test-'))
      t.teardown(() => rmSync(folder, { recursive: true, force: true }))
      chmodSync(folder, 0o755)
      for (const part of ['dist', 'package.json', 'labs/nodeport'])
        cpSync(part, join(folder, part), { recursive: true })
      // the process that notices the holder's end is among them
      const stop = 'cd /proc; for pid in [0-9]*; do [ $pid = $$ ] || kill -STOP $pid; done 2>/dev/null'
      writeFileSync(
        join(folder, 'labs/nodeport/lab.yaml'),
        stringify({
          title: 'Stops everything',
          topology: { nodes: ['node-a'] },
          steps: [
            {
              name: 'Stop',
              from: 'node-a',
              command: { argv: ['sh', '-c', `${stop}; exec sleep 3600`], timeout: '10m' },
              expect: { exitCode: 0 },
            },
          ],
        }),
      )
      rmSync(join(folder, 'labs/nodeport/manifests'), { recursive: true })
      const holder = spawn(process.execPath, ['dist/cli.cjs', 'run', 'labs/nodeport'], {
        cwd: folder,
        stdio: 'ignore',
        env: { PATH: process.env['PATH'], HOME: folder },
        ...(uid === undefined ? {} : { uid, gid: uid }),
      })
      const stopped = () => processesFrom(holder.pid ?? 0).filter((pid) => stateOf(pid) === 'T')
      const ended = once(holder, 'close')
      const some = await until(() => stopped().length > 0 || holder.exitCode !== null, {
        patienceMs: 120_000,
      })
      t.ok(some && holder.exitCode === null, 'processes are stopped')
      const family = processesFrom(holder.pid ?? 0)
      holder.kill('SIGKILL')
      await ended
      t.ok(
        await until(() => family.every((pid) => processAt(pid) === undefined), { patienceMs: 40_000 }),
        'all of it is gone',
      )
      t.strictSame(
        family.flatMap((pid) => (processAt(pid) === undefined ? [] : commandLineOf(pid))),
        [],
      )
    },
  )
}

function stateOf(pid: number): string | undefined {
  try {
    return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
