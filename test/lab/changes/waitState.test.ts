import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foresee, nodeReady, reconcileLive } from '../../../src/cluster/changes/index.js'
import type { Gateway, ListenerSet } from '../../../src/cluster/types/gateway.js'
import type { Cluster } from '../../../src/cluster/types.js'
import type { WaitAction } from '../../../src/lab/changes/types.js'
import { waitState } from '../../../src/lab/changes/waitState.js'
import { labState } from '../../../src/snapshot/model/labState.js'
import { prepareLab } from '../../../src/lab/plan/prepareLab.js'
import { deployment, written, type Writes } from '../../cluster/lab.js'

const manifest = `${deployment('web', 2)}apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`

function lab(t: Test) {
  const cwd = t.testdir({ lab: { manifests: { 'app.yaml': manifest } } })
  writeFileSync(join(cwd, 'lab/lab.yaml'), 'title: waits\n')
  const prepared = prepareLab('lab', { cwd })
  const now = '2026-01-01T00:00:00Z'
  return {
    initial: prepared.cluster,
    after: (cluster: Cluster, change: Writes) =>
      reconcileLive(written(cluster, change, { ...prepared.clusterOptions, now }).cluster),
    met: (cluster: Cluster, object: string, until: WaitAction['until']) => {
      const action: WaitAction = { kind: 'wait', for: object, until, timeoutSeconds: 1 }
      return waitState(action, labState(cluster, prepared.topology))
    },
  }
}

const web = { kind: 'Deployment', name: 'web' }

t.test('a settled lab', async (t) => {
  const { initial, met } = lab(t)
  t.strictSame(met(initial, 'deployment/web', 'available'), { met: true, seen: '2 of 2 ready, 2 in all' })
  t.ok(met(initial, 'deployment/web', 'rolledOut').met)
  t.ok(met(initial, 'deploy/default/web', 'ready').met)
  t.ok(met(initial, 'app=web', 'running').met)
  t.ok(met(initial, 'app=web@node-a', 'ready').met)
  t.notOk(met(initial, 'app=web', 'notReady').met)
  t.notOk(met(initial, 'app=web', 'gone').met)
  t.strictSame(met(initial, 'svc/web', { endpoints: 2 }), { met: true, seen: '2 ready' })
  t.strictSame(met(initial, 'svc/web', { endpoints: 3 }), { met: false, seen: '2 ready' })
  t.strictSame(met(initial, 'svc/other', { endpoints: 0 }), { met: false, seen: 'there is no svc/other' })
  t.ok(met(initial, 'svc/other', 'gone').met)
  t.ok(met(initial, 'node/node-a', 'ready').met)
})

t.test('a rollout is over when nothing old is left', async (t) => {
  const { initial, after, met } = lab(t)
  const begun = after(initial, { verb: 'restart', ref: web })
  t.notOk(met(begun, 'deployment/web', 'rolledOut').met)
  t.ok(met(begun, 'deployment/web', 'available').met, 'old pods serve until new ones do')
  t.ok(met(foresee(begun), 'deployment/web', 'rolledOut').met)
})

t.test('pods that start and end', async (t) => {
  const { initial, after, met } = lab(t)
  const more = after(initial, { verb: 'scale', ref: web, replicas: 3 })
  t.match(met(more, 'deployment/web', 'available'), { met: false, seen: '2 of 3 ready, 3 in all' })
  t.match(met(more, 'app=web', 'ready'), { met: false, seen: /pending/ })
  const none = after(initial, { verb: 'scale', ref: web, replicas: 0 })
  t.match(met(none, 'app=web', 'gone'), { met: false, seen: /terminating/ })
  t.notOk(met(none, 'app=web', 'ready').met, 'pods that end are not meant')
  t.notOk(met(none, 'deployment/web', 'rolledOut').met)
  t.ok(met(foresee(none), 'app=web', 'gone').met)
})

t.test('a node that is down', async (t) => {
  const { initial, met } = lab(t)
  const down = reconcileLive({ ...nodeReady(initial, 'node-a', false), now: '2026-01-01T00:00:00Z' })
  t.strictSame(met(down, 'node/node-a', 'notReady'), { met: true, seen: 'not ready' })
  t.ok(met(down, 'app=web@node-a', 'notReady').met)
  t.ok(met(down, 'svc/web', { endpoints: 1 }).met)
})

t.test('a Gateway is ready when it is programmed', async (t) => {
  const { initial, met } = lab(t)
  const gateway: Gateway = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'front', namespace: 'default' },
    spec: { gatewayClassName: 'edge', listeners: [] },
  }
  const programmed = (status: 'True' | 'False', reason: string, message: string): Cluster => ({
    ...initial,
    gateways: [
      {
        ...gateway,
        status: { conditions: [{ type: 'Programmed', status, observedGeneration: 1, reason, message }] },
      },
    ],
  })
  t.strictSame(met({ ...initial, gateways: [gateway] }, 'gateway/front', 'ready'), {
    met: false,
    seen: 'Programmed is Unknown (no controller has set it)',
  })
  const invalid = programmed('False', 'Invalid', 'no listener is served')
  t.strictSame(met(invalid, 'gateway/front', 'ready'), {
    met: false,
    seen: 'Programmed is False (Invalid: no listener is served)',
  })
  t.ok(met(invalid, 'gateway/front', 'notReady').met)
  t.strictSame(met(programmed('True', 'Programmed', ''), 'gateway/front', 'ready'), {
    met: true,
    seen: 'Programmed is True (Programmed)',
  })
  const set = {
    ...gateway,
    kind: 'ListenerSet',
    spec: { parentRef: { name: 'x' }, listeners: [] },
  } as ListenerSet
  t.match(met({ ...initial, listenerSets: [set] }, 'listenerset/front', 'ready'), {
    met: false,
    seen: /Unknown/,
  })
})
