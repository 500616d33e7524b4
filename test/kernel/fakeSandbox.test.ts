import t from 'tap'
import { fakeSandbox } from '../../src/host/sandbox/fake/fakeSandbox.js'
import type { RunningCommand, Sandbox } from '../../src/host/sandbox/sandbox.js'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'

const path = '/run/vethlab/folder/file'
const fails = ['sh', '-c', `cat ${path}; echo a fault >&2; exit 3`]
const server = ['sh', '-c', 'echo out; echo error >&2; exit 3']
const sleep = ['sleep', '3600']
const pidFile = '/run/pid'
const endless = ['sh', '-c', `echo $$ >${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 3600`]

/** Texts without what differs: the names of the programs that enter a sandbox, and paths on the host. */
function plain(text: string): string {
  return text.replace(/^\S+ (was ended by|exited with) /, 'it $1 ').replace(/ '[^']*'$/, '')
}

/** How a call ended: its result without times, or the class of its error with the code or the message. */
async function outcome(act: () => unknown): Promise<unknown> {
  try {
    const result: unknown = await act()
    if (typeof result !== 'object' || result === null || !('durationMs' in result)) return result
    const { durationMs, ...rest } = result
    const texts = Object.entries(rest).map(([key, value]) => [
      key,
      typeof value === 'string' ? plain(value) : value,
    ])
    return { ...(Object.fromEntries(texts) as object), durationMs: typeof durationMs }
  } catch (error) {
    const { constructor, code, message } = error as NodeJS.ErrnoException
    return { error: constructor.name, code, ...(code === undefined ? { message: plain(message) } : {}) }
  }
}

/** What calls of a running sandbox return. */
async function whileItRuns(sandbox: Sandbox): Promise<Record<string, unknown>> {
  const { inside } = sandbox
  const seen: Record<string, unknown> = {}
  const record = async (what: string, act: () => unknown) => (seen[what] = await outcome(act))
  await record('alive', () => sandbox.alive())
  await record('a command that is no list', () => sandbox.run('ip link' as never))
  await record('no command', () => sandbox.must('nothing', []))
  await record('no process', () => sandbox.start([5] as never))
  await record('write files', () => sandbox.writeFiles([{ path, text: 'text\n' }]))
  await record('write into a file', () => sandbox.writeFiles([{ path: `${path}/file`, text: '' }]))
  await record('read', () => inside.read(path))
  await record('list', () => inside.list('/run/vethlab/folder'))
  await record('exists', () => [path, '/run/vethlab/none', `${path}/none`].map((one) => inside.exists(one)))
  await record('read none', () => inside.read('/run/vethlab/none'))
  await record('read a folder', () => inside.read('/run/vethlab'))
  await record('list a file', () => inside.list(path))
  await record('list none', () => inside.list('/run/vethlab/none'))
  await record('link', () => inside.link('/run/vethlab/link', 'folder'))
  await record('target', () => inside.target('/run/vethlab/link'))
  await record('target of a file', () => inside.target(path))
  await record('read by a link', () => inside.read('/run/vethlab/link/file'))
  await record('write by a link', () => inside.write('/run/vethlab/link/file', ''))
  await record('read a link', () => inside.read('/run/vethlab/link'))
  await record('write to a link', () => inside.write('/run/vethlab/link', ''))
  await record('write to a folder', () => inside.write('/run/vethlab/folder', ''))
  await record('replace a folder', () => inside.replace('/run/vethlab/folder', ''))
  await record('replace a link', () => inside.replace('/run/vethlab/link', 'text'))
  await record('read what replaced it', () => inside.read('/run/vethlab/link'))
  await record('rename', () => inside.rename('/run/vethlab/link', 'other'))
  await record('read the new name', () => [
    inside.read('/run/vethlab/other'),
    inside.exists('/run/vethlab/link'),
  ])
  await record('rename none', () => inside.rename('/run/vethlab/link', 'other'))
  await record('rename a folder', () => inside.rename('/run/vethlab/folder', 'other'))
  await record('open none', () => inside.open('/run/vethlab/none', 'read'))
  await record('no socket', () => inside.openSocket(path))
  await record('no namespace', () => inside.openNamespace('/run/netns/none'))
  await record('outside', () => inside.read('/run/../etc/hostname'))

  await record('run', () => sandbox.run(fails))
  await record('run without output', () => sandbox.run(fails, { stdout: 'ignore' }))
  await record('must', () => sandbox.must('it', fails, { netns: undefined }))
  await record('over its time', () => sandbox.run(sleep, { timeoutMs: 1 })) // short on purpose: it never ends
  const own = { env: {} }
  await record('a signal', () => sandbox.run(['sh', '-c', 'kill -s TERM $$'], own))

  const log = '/run/vethlab/log'
  await record('a process that ends', () => sandbox.start(server, { log }).process)
  await record('its log', () => inside.read(log))
  const stays = sandbox.start(endless)
  if (!(await until(() => inside.exists(pidFile)))) throw new Error('it did not begin')
  await record('a signal to it', () => sandbox.run(['kill', '-s', 'TERM', inside.read(pidFile).trim()]))
  await record('its end', () => stays.process)
  await record('its pid', () => stays.pid())
  const waits = sandbox.run(sleep, own)
  const late = sandbox.run(sleep, own)
  sandbox.endCommands()
  await record('commands that run, and their end', () =>
    Promise.all([waits, late]).then((ends) => ends.map((end) => end.exitCode)),
  )
  await record('run after the end of commands', () => sandbox.run(['true']))
  await record('still alive', () => [sandbox.alive(), sandbox.cannotRun()])
  return seen
}

/** What calls of a sandbox return that has ended, with a process that ran until then. */
async function afterItsEnd(sandbox: Sandbox, stays: RunningCommand): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  const record = async (what: string, act: () => unknown) => (seen[what] = await outcome(act))
  await record('ended', () => sandbox.ended)
  await record('alive', () => sandbox.alive())
  await record('a command that is no list', () => sandbox.run('ip link' as never))
  await record('no command', () => sandbox.must('nothing', []))
  await record('no process', () => sandbox.start([5] as never))
  // nsenter exits with 1, or is killed itself, whichever is first
  await record('a process succeeds', async () => (await stays.process).exitCode === 0)
  await record('run', () => sandbox.run(['true']))
  await record('must', () => sandbox.must('it', ['true']))
  await record('start', () => sandbox.start(['true']).process)
  await record('start with a log', () => sandbox.start(['true'], { log: '/run/vethlab/log' }).process)
  await record('exists', () => sandbox.inside.exists('/run/vethlab'))
  await record('write files', () => sandbox.writeFiles([{ path, text: '' }]))
  return seen
}

t.test('a fake sandbox returns what a sandbox returns', { skip: cannotRun }, async (t) => {
  const real: { sandbox: Sandbox; stays: RunningCommand; seen: Record<string, unknown> } = await withSandbox(
    'test',
    {},
    async (made) => {
      const sandbox = await made
      const seen = await whileItRuns(sandbox)
      return { sandbox, seen, stays: sandbox.start(sleep) }
    },
  )
  const fake = fakeSandbox()
  const failed = { exitCode: 3, stdout: 'text\n', stderr: 'a fault\n' }
  const never = () => new Promise<never>(() => undefined)
  fake.plan(fails, failed, { times: 3 })
  fake.plan(sleep, { timedOut: true })
  fake.plan(/kill -s TERM/, { signal: 'SIGTERM' })
  fake.plan(sleep, never, { times: 2 })
  fake.planStart(server, (process) => {
    process.write('out\n')
    process.write('error\n', 'stderr')
    process.end({ exitCode: 3 })
  })
  fake.planStart(endless, () => fake.inside.write(pidFile, '7\n'))
  fake.plan(['kill', '-s', 'TERM', '7'], () => {
    fake.processes.at(-1)?.end({ signal: 'SIGTERM' })
    return {}
  })
  fake.planStart(sleep)
  t.strictSame(await whileItRuns(fake), real.seen, 'while it runs')
  const stays = fake.start(sleep)
  await fake.stop()
  t.strictSame(await afterItsEnd(fake, stays), await afterItsEnd(real.sandbox, real.stays), 'after its end')
  fake.assertDone()
})
