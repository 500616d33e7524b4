import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepareLab } from '../../src/lab/plan/prepareLab.js'
import { runPrepared } from '../../src/lab/steps/runPrepared.js'
import { until } from '../until.js'
import { labContainers } from '../../src/lab/up/labContainers.js'
import { previousLog } from '../../src/topology/planContainers.js'
import { cannotRun } from './ability.js'
import { startLab } from './startLab.js'

function prepare(t: Test, command: string, steps: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-failing-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'manifests'))
  writeFileSync(join(folder, 'lab.yaml'), `title: A pod that fails\ndns: true\n${steps}`)
  const container = `{ name: app, image: shop/app, command: ${command}, ports: [{ containerPort: 80 }] }`
  const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { app: web } }\nspec: { containers: [${container}] }\n`
  const service =
    '---\napiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { selector: { app: web }, ports: [{ port: 80 }] }\n'
  writeFileSync(join(folder, 'manifests', 'app.yaml'), pod + service)
  return prepareLab(folder)
}

t.test('a command that fails is restarted with back-off, and reported', { skip: cannotRun }, async (t) => {
  const running = await startLab(t, prepare(t, "[sh, -c, 'echo no disk; exit 3']", ''), { capture: false })
  const status = () =>
    running.live.state().cluster.pods.find(({ metadata }) => metadata.name === 'web')?.status
  t.ok(await until(() => status()?.containerStatuses?.[0]?.state?.waiting !== undefined))
  t.match(status(), {
    phase: 'Running',
    containerStatuses: [
      {
        restartCount: 1,
        state: {
          waiting: { reason: 'CrashLoopBackOff', message: /^back-off 10s restarting failed container=app/ },
        },
        lastState: { terminated: { exitCode: 3, reason: 'Error' } },
      },
    ],
  })
  t.same(running.live.failedContainers(), [
    'pod default/web is not ready: container app ended with exit code 3 (CrashLoopBackOff, 1 restart): no disk',
  ])
})

t.test('the output of the run before the last restart is kept', { skip: cannotRun }, async (t) => {
  const running = await startLab(t, prepare(t, "[sh, -c, 'date +%s%N; exit 3']", ''), { capture: false })
  const { inside } = running.sandbox
  const isWaiting = () =>
    running.live.state().cluster.pods[0]?.status?.containerStatuses?.[0]?.state?.waiting !== undefined
  t.ok(await until(isWaiting))
  const [log = ''] = labContainers(running.live.state()).flatMap((one) => one.log ?? [])
  t.match(inside.read(log), /^\d+\n$/)
  t.match(inside.read(previousLog(log)), /^\d+\n$/)
  t.ok(BigInt(inside.read(previousLog(log))) < BigInt(inside.read(log)))
})

t.test('a lab without steps whose pods fail has failed', { skip: cannotRun }, async (t) => {
  const result = await runPrepared(prepare(t, "[sh, -c, 'exit 3']", ''), { capture: false })
  t.notOk(result.ok)
  t.match(result.error, /^pod default\/web is not ready: container app ended with exit code 3/)
})

t.test('a container that failed is not up before it listens again', { skip: cannotRun }, async (t) => {
  const listen = 'until [ -e /run/may-listen ]; do sleep 0.1; done; exec nc -lk 80'
  const command = `if [ -e /run/begun ]; then ${listen}; fi; touch /run/begun; echo no disk; exit 3`
  const running = await startLab(t, prepare(t, `[sh, -c, '${command}']`, ''), { capture: false })
  const state = () =>
    running.live.state().cluster.pods.find(({ metadata }) => metadata.name === 'web')?.status
      ?.containerStatuses?.[0]
  t.ok(await until(() => state()?.restartCount === 1 && state()?.state?.running !== undefined))
  t.same(running.live.failedContainers(), [
    'pod default/web is not ready: container app ended with exit code 3 (Error, 1 restart): no disk',
  ])
  const pod = running.live.state().topology.pods.find(({ name }) => name === 'web')
  if (pod === undefined) throw new Error('the pod has no network')
  await running.exec(pod, ['touch', '/run/may-listen'])
  t.ok(await until(() => running.live.failedContainers().length === 0))
})

t.test('a command of the image: the echo server answers, nc by name', { skip: cannotRun }, async (t) => {
  const steps = `steps:
  - name: by name
    from: app=web
    nc: { host: web.default.svc.cluster.local, port: 80, send: "GET / HTTP/1.0\\r\\n\\r" }
    expect: { answered: true, body: { matches: web } }
`
  const prepared = prepare(t, '[/app/server]', steps)
  t.match(prepared.notices, [/default\/web \(\/app\/server\)/])
  const result = await runPrepared(prepared)
  t.match(result, { ok: true, steps: [{ ok: true }] })
})
