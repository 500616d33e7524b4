import { closeSync, readFileSync, writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { CannotRunError, CommandError, SandboxError } from '../../../src/errors.js'
import { fakeSandbox } from '../../../src/host/sandbox/fake/fakeSandbox.js'
import { runStages } from '../../../src/host/sandbox/runPlan.js'
import { whileRunning } from '../../../src/host/sandbox/sandbox.js'

t.test('a planned command has its result, once', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['ip', 'link'], { stdout: '1: lo\n' })
  const succeeded = { exitCode: 0, signal: undefined, stderr: '', durationMs: 0, timedOut: false }
  t.strictSame(await sandbox.run(['ip', 'link'], { netns: 'a' }), { ...succeeded, stdout: '1: lo\n' })
  t.strictSame(sandbox.ran, [{ by: 'run', argv: ['ip', 'link'], options: { netns: 'a' } }])
  sandbox.assertDone()
  await t.rejects(sandbox.run(['ip', 'link']), { message: /^not planned: run ip link\n/ })
})

t.test('a command that is not planned fails with what is planned', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['nft', '-f', '-'])
  sandbox.plan(/^ip6?tables-save/, {}, { times: 2 })
  sandbox.plan(function listsLinks() {
    return false
  })
  sandbox.planStart(['nginx'])
  await t.rejects(sandbox.run(['ip', 'link', 'set', 'a b', 'up'], { netns: 'node-a' }), {
    message: [
      "not planned: run ip link set 'a b' up in netns node-a",
      '  planned: run nft -f -',
      '  planned: run /^ip6?tables-save/, 2 times',
      '  planned: run what the function listsLinks accepts',
      '  planned: start nginx',
    ].join('\n'),
  })
  t.throws(() => fakeSandbox().start(['nginx']), {
    message: 'not planned: start nginx\n  nothing else is planned',
  })
})

t.test('a command may differ in no word and no option that is planned', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['ip', 'link'], {}, { times: 9 })
  sandbox.plan((_, { netns }) => netns === 'node-b', {}, { times: 9 })
  sandbox.planStart(['ip', 'route'])
  for (const argv of [['ip'], ['ip', 'link', 'show'], ['ip', 'links'], ['ip', 'route']])
    await t.rejects(sandbox.run(argv, { netns: 'node-a' }), { message: /^not planned/ }, argv.join(' '))
  t.throws(() => sandbox.start(['ip', 'link']), { message: /^not planned/ })
  t.strictSame(sandbox.ran, [])
})

t.test(
  'at the end, what did not come and what was not planned are errors, even if they were caught',
  async (t) => {
    const sandbox = fakeSandbox()
    sandbox.plan(['one'], {}, { times: 3 })
    sandbox.plan(['any'], {}, { times: Infinity })
    sandbox.planStart(['server'])
    await sandbox.run(['one'])
    await sandbox.run(['other']).catch(() => undefined)
    t.throws(() => sandbox.assertDone(), {
      message: [
        'not planned: run other',
        'planned, but did not come: run one, 2 times',
        'planned, but did not come: start server',
      ].join('\n'),
    })
  },
)

t.test('results are those of a sandbox', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['slow'], { timedOut: true })
  sandbox.plan(['killed'], { signal: 'SIGTERM' })
  sandbox.plan(['loud'], { stdout: 'text' })
  sandbox.plan(['fails'], { exitCode: 3, stderr: 'a fault' })
  t.match(await sandbox.run(['slow']), { exitCode: 124, signal: 'SIGKILL', timedOut: true })
  t.match(await sandbox.run(['killed']), {
    exitCode: 128,
    signal: 'SIGTERM',
    stderr: 'killed was ended by SIGTERM',
  })
  t.match(await sandbox.run(['loud'], { stdout: 'ignore' }), { exitCode: 0, stdout: '' })
  const fails = sandbox.must('listing', ['fails'], { netns: 'a' })
  const error: unknown = await fails.catch((thrown: unknown) => thrown)
  t.ok(error instanceof CommandError)
  t.match(error, {
    failure: { what: 'listing', argv: ['fails'], netns: 'a', exitCode: 3, stderr: 'a fault' },
  })
})

t.test('the first error of a tool that hangs breaks the sandbox', async (t) => {
  const sandbox = fakeSandbox()
  const hangs = new CannotRunError('nft hangs')
  sandbox.plan(['nft'], () => Promise.reject(hangs))
  const never = new Promise(() => undefined)
  const waits = whileRunning(sandbox, never)
  await t.rejects(sandbox.run(['nft']), hangs)
  await t.rejects(waits, hangs)
  t.equal(sandbox.cannotRun(), hangs)
})

t.test('its files', async (t) => {
  const { inside } = fakeSandbox()
  inside.write('/run/vethlab/a/b', 'text')
  t.equal(inside.read('/run/vethlab/a/b'), 'text')
  inside.append('/run/vethlab/a/b', ' more')
  t.equal(inside.read('/run/vethlab//a/./b'), 'text more')
  t.strictSame(inside.list('/run'), ['vethlab', 'netns'])
  inside.write('/run/vethlab/a/c', 'aGk=', 'base64')
  inside.rename('/run/vethlab/a/c', 'b')
  t.equal(inside.read('/run/vethlab/a/b'), 'hi')
  t.strictSame(inside.list('/run/vethlab/a'), ['b'])
  inside.link('/run/vethlab/current', 'a')
  t.equal(inside.target('/run/vethlab/current'), '/run/vethlab/a')
  inside.remove('/run/vethlab/a')
  inside.remove('/run/vethlab/none/either')
  t.strictSame([inside.exists('/run/vethlab/a/b'), inside.exists('/run/vethlab/current')], [false, true])
})

t.test('errors of its files', async (t) => {
  const { inside } = fakeSandbox()
  inside.write('/run/file', '')
  inside.link('/run/link', 'vethlab')
  const codes: readonly [() => unknown, { code: string } | { message: string }][] = [
    [() => inside.read('/run/none'), { message: "ENOENT: no such file or directory, open '/run/none'" }],
    [() => inside.read('/run/none/none'), { code: 'ENOENT' }],
    [() => inside.read('/run/link'), { code: 'ELOOP' }],
    [() => inside.read('/run/vethlab'), { message: '/run/vethlab is not a file' }],
    [() => inside.read('/run/../etc'), { message: '/run/../etc has ".."' }],
    [() => inside.write('/run/link/file', ''), { code: 'ENOTDIR' }],
    [() => inside.write('/run/link', ''), { code: 'ELOOP' }],
    [() => inside.write('/run/vethlab', ''), { code: 'EISDIR' }],
    [() => inside.replace('/run/vethlab', ''), { code: 'EISDIR' }],
    [() => inside.list('/run/file'), { code: 'ENOTDIR' }],
    [() => inside.target('/run/file'), { code: 'EINVAL' }],
    [() => inside.rename('/run/vethlab', 'file'), { code: 'ENOTDIR' }],
    [() => inside.rename('/run/none', 'file'), { code: 'ENOENT' }],
    [() => inside.openSocket('/run/file'), { message: '/run/file is no socket' }],
    [() => inside.openNamespace('/run/netns/a'), { code: 'ENOENT' }],
  ]
  for (const [act, error] of codes) t.throws(act, error)
})

t.test('descriptors of its files', async (t) => {
  const sandbox = fakeSandbox()
  const { inside } = sandbox
  inside.write('/run/log', 'old')
  const reads = inside.open('/run/log', 'read')
  t.equal(readFileSync(reads, 'utf8'), 'old')
  const writes = inside.open('/run/log', 'write')
  writeSync(writes, 'new ')
  inside.append('/run/log', 'lines ')
  writeSync(writes, 'and more')
  t.equal(inside.read('/run/log'), 'new lines and more')
  inside.replace('/run/log', 'another file')
  t.equal(readFileSync(`/proc/self/fd/${reads}`, 'utf8'), 'new lines and more')
  for (const fd of [reads, writes]) closeSync(fd)
  await sandbox.stop()
})

t.test('a process runs until the test ends it', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.planStart(['server', '-v'])
  const running = sandbox.start(['server', '-v'], { firstInput: Buffer.from('one ') })
  const [server] = sandbox.processes
  const { process } = running
  process.stdin?.write('two')
  const outputs = Promise.all(
    [process.stdout, process.stderr].map((stream) => text(stream ?? Readable.from([]))),
  )
  server?.write('out')
  server?.write('error', 'stderr')
  t.equal(running.pid(), process.pid)
  t.equal(server?.isRunning(), true)
  await setImmediate()
  t.equal(String(server?.input()), 'one two')
  server?.end({ exitCode: 3 })
  t.match(await process, { exitCode: 3, signal: undefined, message: 'server exited with 3' })
  t.strictSame(await outputs, ['out', 'error'])
  t.equal(running.pid(), undefined)
  t.throws(() => server?.write('late'), { message: 'server has ended, and writes nothing' })
  t.equal(process.kill(), false)
})

t.test('a signal ends a process, and its log has its output', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.planStart(['server'], (process) => process.write('it listens\n', 'stderr'))
  const { process } = sandbox.start(['server'], { log: '/run/vethlab/log' })
  t.strictSame([process.stdin, process.stdout, process.stderr], [null, null, null])
  t.equal(sandbox.inside.read('/run/vethlab/log'), 'it listens\n')
  t.equal(process.kill(0), true)
  t.equal(process.kill('SIGHUP'), true)
  t.match(await process, { exitCode: undefined, signal: 'SIGHUP', message: 'server was ended by SIGHUP' })
})

t.test('no process of the host has the pids', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.planStart(['server'])
  const highest = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'))
  for (const pid of [sandbox.pid, sandbox.start(['server']).pid() ?? 0]) t.ok(pid > highest, `${pid}`)
})

t.test('commands end without the processes', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.planStart(['server'])
  sandbox.plan(['sleep'], () => new Promise(() => undefined))
  sandbox.start(['server'])
  const sleeps = sandbox.run(['sleep'])
  sandbox.endCommands()
  t.match(await sleeps, { exitCode: 128, signal: 'SIGKILL', timedOut: false })
  t.match(await sandbox.run(['late']), { exitCode: 128, stderr: 'the sandbox has ended' })
  t.equal(sandbox.processes[0]?.isRunning(), true)
  t.equal(sandbox.alive(), true)
  sandbox.assertDone()
})

t.test('after the end nothing runs, and there are no files', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.planStart(['server'])
  const { process } = sandbox.start(['server'])
  const waits = t.rejects(whileRunning(sandbox, new Promise(() => undefined)), SandboxError)
  await sandbox.stop()
  t.match(await process, { signal: 'SIGKILL' })
  await waits
  t.equal(sandbox.alive(), false)
  t.match(await sandbox.run(['late']), { exitCode: 128, stderr: 'the sandbox has ended' })
  t.match(await sandbox.start(['late']).process, { exitCode: 1 })
  t.throws(() => sandbox.start(['late'], { log: '/run/vethlab/log' }), SandboxError)
  t.throws(() => sandbox.inside.read('/run/vethlab/log'), SandboxError)
  t.equal(sandbox.inside.exists('/run'), false)
  await t.rejects(sandbox.writeFiles([{ path: '/run/vethlab/late', text: '' }]), SandboxError)
  sandbox.assertDone()
})

t.test('stages of a plan run in it', async (t) => {
  const sandbox = fakeSandbox()
  sandbox.plan(['ip', 'link', 'set', '{}', 'up'], {}, { times: 1 })
  sandbox.planStart(['dnsd'], () => sandbox.inside.write('/run/vethlab/dns.pid', '4'))
  const server = {
    what: 'DNS',
    netns: 'dns',
    argv: ['dnsd'],
    env: {},
    listensOn: [],
    log: '/run/vethlab/log',
  }
  await runStages(sandbox, [
    {
      name: 'links',
      files: [{ path: '/run/vethlab/hosts', text: '::1 localhost\n' }],
      commands: [{ argv: ['ip', 'link', 'set', '{}', 'up'], each: ['eth0', 'eth1'] }],
      processes: [{ ...server, pidFile: '/run/vethlab/dns.pid' }],
    },
  ])
  t.equal(sandbox.inside.read('/run/vethlab/hosts'), '::1 localhost\n')
  t.match(sandbox.ran, [
    { by: 'run', options: { each: ['eth0', 'eth1'] } },
    { by: 'start', options: { netns: 'dns' } },
  ])
  sandbox.assertDone()
})

t.test('what runs on the host is passed in', async (t) => {
  t.throws(() => fakeSandbox().command(['ip', 'link']), { message: /has no argument array for ip link/ })
  t.strictSame(fakeSandbox({ command: (argv) => ['env', ...argv] }).command(['ip']), ['env', 'ip'])
})
