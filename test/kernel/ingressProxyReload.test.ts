import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { configuredProxy } from '../../src/host/ingress/configuredProxy.js'
import { proxyPrograms } from '../../src/host/ingress/proxyProgram.js'
import { startSandbox } from '../../src/host/sandbox/startSandbox.js'
import { hostileConfiguration } from '../ingress/hostile.js'
import { configuration, forward, host, listener, route } from '../ingress/models.js'
import { cannotRun } from './ability.js'
import { everywhere, port, to } from './proxyModels.js'
import { missingProxy, proxyNames, proxyUnderTest, mustHold } from './proxyUnderTest.js'
import { runs } from '../suite.js'

for (const name of proxyNames) {
  const skip = cannotRun || missingProxy(name)
  t.test(`${name} keeps what it serves when a configuration is wrong`, { skip }, async (t) => {
    const good = everywhere(route({ action: forward(to('a')) }))
    const proxy = await proxyUnderTest(t, name, good)
    const broken = { certificate: 'not a certificate', key: 'not a key' }
    const outcome = await proxy.put({
      ...configuration(listener(8443, [host('*', [])], { protocol: 'HTTPS' })),
      certificates: { default: broken },
    })
    t.match(outcome, { live: false, message: /\bdefault\b/ })
    const [still] = await proxy.ask({ port, path: '/' })
    t.equal(still?.status, 200)
    t.same(await proxy.put(everywhere(route({ action: { kind: 'respond', status: 204 } }))), { live: true })
    const [next] = await proxy.ask({ port, path: '/' })
    t.equal(next?.status, 204)
  })

  t.test(`${name} loses no request during changes`, { skip }, async (t) => {
    const model = (number: number) =>
      everywhere(
        route({ path: { type: 'Exact', value: `/now-${number}` }, action: { kind: 'respond', status: 204 } }),
        route({ action: forward(to('a'), to('b')) }),
      )
    const proxy = await proxyUnderTest(t, name, model(0))
    await proxy.startLoad({ port, path: '/?wait=20' })
    for (const number of [1, 2, 3, 4, 5]) {
      t.same(await proxy.put(model(number)), { live: true })
      // no worker answers from what was before
      const asks = Array.from({ length: 10 }, () => [number, number - 1]).flat()
      const answers = await proxy.ask(...asks.map((one) => ({ port, path: `/now-${one}` })))
      t.same(
        answers.map(({ status }) => status),
        asks.map((one) => (one === number ? 204 : 200)),
      )
    }
    const { asked, failures } = await proxy.stopLoad()
    t.same(failures, [])
    t.ok(asked > 20, `${asked} requests`)
  })

  t.test(`${name} brings replicas that start later to what stands`, { skip }, async (t) => {
    const respond = (status: number) => everywhere(route({ action: { kind: 'respond', status } }))
    const proxy = await proxyUnderTest(t, name, respond(200))
    await proxy.sandbox.must('another namespace', ['ip', 'netns', 'add', 'other'])
    await proxy.sandbox.must('its loopback address', ['ip', '-n', 'other', 'link', 'set', 'lo', 'up'])
    const status = () =>
      proxy.sandbox.run(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', `http://127.0.0.1:${port}`], {
        netns: 'other',
      })
    const other = proxy.start('other')
    await mustHold(
      async () => (await status()).stdout === '200',
      () => proxy.sandbox.inside.read(`${proxy.folder}/other.log`),
    )
    await proxy.put(respond(204))
    t.equal((await status()).stdout, '204', 'both are reloaded')
    await proxy.sandbox.must('killing it', ['sh', '-c', 'kill -9 $(ip netns pids other) 2>/dev/null; true'])
    await other.process
    await proxy.put(respond(202))
    proxy.start('other')
    await mustHold(
      async () => (await status()).stdout === '202',
      () => proxy.sandbox.inside.read(`${proxy.folder}/other.log`),
    )
    t.pass('what was killed starts again')
  })

  t.test(`${name} takes whatever text users think of`, { skip }, async (t) => {
    const sandbox = await startSandbox('hostile')
    t.teardown(() => sandbox.stop())
    const program = proxyPrograms[name]
    const configured = configuredProxy(sandbox, {
      program,
      folder: '/run/vethlab/hostile',
      families: ['IPv4'],
    })
    await fc.assert(
      fc.asyncProperty(hostileConfiguration, async (model) => {
        deepEqual(await configured.put(model), { live: true })
      }),
      { numRuns: runs(60, 12) },
    )
  })
}
