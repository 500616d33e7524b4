import t, { type Test } from 'tap'
import type { CommandOptions } from '../../src/host/sandbox/commandOptions.js'
import { whileRunning, type Sandbox } from '../../src/host/sandbox/sandbox.js'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { isFull } from '../suite.js'
import { cannotRun } from './ability.js'

t.jobs = 2

function inSandbox(name: string, work: (t: Test, sandbox: Sandbox) => Promise<void>): void {
  t.test(name, { skip: cannotRun }, async (t) => {
    await withSandbox('test', {}, async (made) => work(t, await made))
  })
}

inSandbox('tools run in shells that are already in the sandbox', async (t, sandbox) => {
  const parents = await Promise.all(
    Array.from({ length: 3 }, () => sandbox.must('asking for the parent', ['sh', '-c', 'echo $PPID'])),
  )
  const again = await sandbox.must('asking for the parent', ['sh', '-c', 'echo $PPID'])
  t.equal(new Set(parents.map(({ stdout }) => stdout)).size, 3, 'each in its own')
  t.ok(parents.some(({ stdout }) => stdout === again.stdout))
})

inSandbox('a tool has no descriptor of a shell but its output', async (t, sandbox) => {
  const open = await Promise.all(
    Array.from({ length: 4 }, () => sandbox.must('listing descriptors', ['ls', '/proc/self/fd'])),
  )
  // dash names descriptors up to 9; 3 is the folder
  const low = open.map(({ stdout }) => stdout.split('\n').filter((fd) => /^\d$/.test(fd)))
  for (const names of low) t.strictSame(names, ['0', '1', '2', '3'])
})

inSandbox('results are those of a process', async (t, sandbox) => {
  const large = await sandbox.must('writing much', ['seq', '200000'])
  t.equal(large.stdout.length, 1288895)
  t.match(await sandbox.run(['sh', '-c', 'printf out; printf err >&2; exit 7']), {
    ...{ exitCode: 7, signal: undefined, stdout: 'out', stderr: 'err', timedOut: false },
  })
  t.match(await sandbox.run(['sh', '-c', 'kill -TERM $$']), { exitCode: 128, signal: 'SIGTERM' })
  t.equal((await sandbox.run(['missing-tool'])).exitCode, 127)
  t.equal((await sandbox.run(['cat'], { input: 'a\nb\n' })).stdout, 'a\nb\n')
  t.equal((await sandbox.run(['cat'], { input: 'ü' })).stdout, 'ü')
  const many = Array.from({ length: 40 }, (_, index) => sandbox.run(['echo', String(index)]))
  const texts = (await Promise.all(many)).map(({ stdout }) => stdout)
  t.strictSame(
    texts,
    many.map((_, index) => `${index}\n`),
  )
})

inSandbox('an output longer than any text is cut', async (t, sandbox) => {
  if (!isFull) return t.comment('takes 600 MB')
  const { exitCode, stdout } = await sandbox.run(['head', '-c', '600000000', '/dev/zero'])
  t.equal(exitCode, 0)
  t.match(stdout.slice(-60), 'the output is cut after 256 MiB')
  t.equal((await sandbox.run(['echo', 'next'])).stdout, 'next\n', 'the shell runs the next command')
})

inSandbox('a command runs in a network namespace', async (t, sandbox) => {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'other'])
  const at = async (netns?: string) =>
    (await sandbox.must('reading the namespace', ['readlink', '/proc/self/ns/net'], { netns })).stdout
  t.not(await at('other'), await at())
  t.match(await sandbox.run(['true'], { netns: 'missing' }), { exitCode: 1, stderr: /\/run\/netns\/missing/ })
})

inSandbox('a tool in a place has fewer capabilities than the shell that runs it', async (t, sandbox) => {
  await sandbox.must('making a namespace', ['ip', 'netns', 'add', 'pod'])
  const tool = ['sh', '-c', 'echo $PPID; grep -E "^(NoNewPrivs|CapEff)" /proc/self/status']
  const read = async (where: CommandOptions) => {
    const [parent = '', ...status] = (await sandbox.must('reading', tool, where)).stdout.trim().split('\n')
    return { parent, status: status.join() }
  }
  const own = await read({})
  const inPlace = await read({ netns: 'pod', files: 'pod', tool: true })
  t.equal(inPlace.parent, own.parent, 'the same shell')
  t.match(inPlace.status, /NoNewPrivs:\t1/)
  t.match(own.status, /NoNewPrivs:\t0/)
  t.notOk(inPlace.status.includes(/CapEff:\t(\w+)/.exec(own.status)?.[0] ?? ''), 'other capabilities')
  const command = await read({ netns: 'pod', files: 'pod' })
  t.not(command.parent, own.parent, 'a command of the lab has its own process')
  t.equal(command.status, inPlace.status)
  await sandbox.writeFiles([{ path: '/run/vethlab/places/pod/volumes', text: '' }])
  const withFiles = await read({ netns: 'pod', files: 'pod', tool: true })
  t.not(withFiles.parent, own.parent, 'its files may include another program of that name')
})

inSandbox(
  'processes of a lab that end or stop the shells do not stop the next command',
  async (t, sandbox) => {
    await sandbox.run(['true'])
    // a process of a lab, in its own process group
    const attack = (signal: string) => sandbox.run(['sh', '-c', `kill -${signal} -1`], { timeoutMs: 60_000 })
    await attack('STOP')
    t.equal((await sandbox.run(['echo', 'continued'])).stdout, 'continued\n')
    const sleeps = sandbox.run(['sleep', '600'])
    await attack('KILL')
    t.match(await sleeps, { exitCode: 128, stderr: /has ended/ })
    t.equal((await sandbox.run(['echo', 'again'])).stdout, 'again\n')
  },
)

inSandbox(
  'a tool that hangs ends all work in the sandbox, also if its caller goes on',
  async (t, sandbox) => {
    // short on purpose: it never has output
    const failed = sandbox.run(['sleep', '600'], { quietMs: 1 }).catch(() => undefined)
    const work = failed.then(() => new Promise<never>(() => undefined))
    await t.rejects(whileRunning(sandbox, work), { message: /^sleep hangs: `sleep 600`/, exitCode: 3 })
    await t.rejects(whileRunning(sandbox, work), { message: / hangs: / }, 'what begins later, too')
  },
)
