import t from 'tap'
import type { Sandbox } from '../../src/host/sandbox/sandbox.js'
import { withSandbox } from '../../src/host/sandbox/withSandbox.js'
import { until } from '../until.js'
import { cannotRun } from './ability.js'
import { processesWith } from './machineState.js'

t.test('a sandbox stops with the work, whether it succeeds or fails', { skip: cannotRun }, async (t) => {
  const label = `test-${process.pid}`
  const work = async (made: Promise<Sandbox>) => {
    const { exitCode } = await (await made).run(['true'])
    t.not(processesWith(label).length, 0, 'it runs')
    return exitCode
  }
  t.equal(await withSandbox(label, {}, work), 0)
  t.strictSame(processesWith(label), [], 'after work that succeeds')

  const fail = async (made: Promise<Sandbox>) => {
    await made
    throw new Error('the work failed')
  }
  await t.rejects(withSandbox(label, {}, fail), { message: 'the work failed' })
  t.strictSame(processesWith(label), [], 'after work that fails')

  const failFirst = () => Promise.reject(new Error('failed before the sandbox was made'))
  await t.rejects(withSandbox(label, {}, failFirst), { message: 'failed before the sandbox was made' })
  t.strictSame(processesWith(label), [], 'after work that does not wait for the sandbox')
})

t.test('a sandbox stops when its signal aborts, and work in it ends', { skip: cannotRun }, async (t) => {
  const controller = new AbortController()
  const { exitCode, ended } = await withSandbox('test', { signal: controller.signal }, async (made) => {
    const sandbox = await made
    const sleeps = sandbox.run(['sleep', '3600'])
    controller.abort()
    return { exitCode: (await sleeps).exitCode, ended: await sandbox.ended.then(() => true) }
  })
  t.not(exitCode, 0)
  t.ok(ended)
})

t.test('what prevents a sandbox is thrown to the work that waits for it', { skip: cannotRun }, async (t) => {
  const signal = AbortSignal.abort(new Error('aborted before'))
  const work = (made: Promise<Sandbox>) => made.then(() => 'made')
  await t.rejects(withSandbox('test', { signal }, work), { message: 'aborted before' })
  t.equal(await withSandbox('test', { signal }, () => Promise.resolve('other work')), 'other work')
})

t.test('the commands of a sandbox end without its processes', { skip: cannotRun }, async (t) => {
  await withSandbox('test', {}, async (made) => {
    const sandbox = await made
    const stays = sandbox.start(['sleep', '3600'])
    const own = { env: {} }
    const sleeps = sandbox.run(['sh', '-c', 'echo begun >/run/begun; exec sleep 3600'], own)
    t.ok(await until(() => sandbox.inside.exists('/run/begun')))
    const waits = sandbox.run(['touch', '/run/late'], own)
    sandbox.endCommands()
    t.match(await sleeps, { signal: 'SIGKILL' })
    t.match(await waits, { exitCode: 128, stderr: 'the sandbox has ended' })
    t.notOk(sandbox.inside.exists('/run/late'))
    t.ok(await until(() => stays.pid() !== undefined), 'what was started stays')
  })
})
