import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { reconcileEndpointSlices } from '../../../src/cluster/controllers/endpointSlices.js'
import type { Pod } from '../../../src/cluster/types.js'
import { withCluster } from '../../../src/diagnose/edits.js'
import { whyRequest } from '../../../src/diagnose/why/whyRequest.js'
import { planSnapshot } from '../../../src/lab/plan/planSnapshot.js'
import { snapshotOf } from '../../../src/snapshot/fromPlan/plannedState.js'
import { webAndCaller } from './whyIn.js'

const notReady = [
  { type: 'Ready', status: 'False' },
  { type: 'ContainersReady', status: 'False' },
] as const

/** Why the Service of the pod `web` fails, whose fields are changed as another program would report them. */
function whyNot(t: Test, spec: Partial<Pod['spec']>, status: Pod['status']) {
  const folder = t.testdir({ manifests: {} })
  writeFileSync(join(folder, 'lab.yaml'), 'title: x\n')
  const service = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] }
`
  writeFileSync(join(folder, 'manifests/all.yaml'), webAndCaller() + service)
  const { model } = planSnapshot(folder)
  const changed = withCluster(model, (cluster) =>
    reconcileEndpointSlices({
      ...cluster,
      pods: cluster.pods.map((pod) =>
        pod.metadata.name === 'web'
          ? { ...pod, spec: { ...pod.spec, ...spec }, status: { ...pod.status, ...status } }
          : pod,
      ),
    }),
  )
  const asked = { from: 'caller', to: 'http://{service/web}/', protocol: 'tcp' } as const
  const { findings } = whyRequest(snapshotOf(changed), asked)
  const [finding] = findings
  t.equal(finding?.code, 'pods-not-ready')
  return finding?.causes.at(-1)
}

t.test('a container that has ended', async (t) => {
  const state = { waiting: { reason: 'CrashLoopBackOff' } }
  const terminated = { exitCode: 1, reason: 'Error', startedAt: '', finishedAt: '' }
  const cause = whyNot(
    t,
    { containers: [{ name: 'web', image: 'x', command: ['false'] }] },
    {
      conditions: [...notReady],
      containerStatuses: [{ name: 'web', restartCount: 2, state, lastState: { terminated } }],
    },
  )
  t.match(cause, {
    says: 'container web of pod default/web has ended with exit code 1, after 2 restarts (CrashLoopBackOff)',
    object: { kind: 'Pod', field: 'spec.containers[0].command' },
  })
})

t.test('a probe that is a command', async (t) => {
  const cause = whyNot(
    t,
    { containers: [{ name: 'web', image: 'x', readinessProbe: { exec: { command: ['cat', '/ready'] } } }] },
    { conditions: [...notReady] },
  )
  t.match(cause, {
    says: 'the readinessProbe of container web of pod default/web does not succeed: its command is cat /ready',
    object: { field: 'spec.containers[0].readinessProbe' },
  })
})

t.test('a readiness gate that another program does not set', async (t) => {
  const gates = { readinessGates: [{ conditionType: 'example.com/ready' }] }
  const cause = whyNot(t, gates, { conditions: [...notReady] })
  t.match(cause, {
    says: /its readiness gate example\.com\/ready is not true/,
    object: { field: 'spec.readinessGates' },
  })
})

t.test('a pod without a node: the label that a node needs', async (t) => {
  const message = '0/2 nodes are available'
  const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const
  const cause = whyNot(t, { nodeSelector: { disk: 'ssd' } }, { conditions: [...notReady, unscheduled] })
  t.match(cause, {
    says: 'pod default/web has no node: 0/2 nodes are available',
    object: { field: 'spec.nodeSelector' },
    proposals: [{ command: /^vethlab kubectl \S+ label node\/node-a disk=ssd$/ }],
  }) // kubectl refuses another value of a label that exists
  const other = whyNot(
    t,
    { nodeSelector: { 'kubernetes.io/os': 'windows' } },
    { conditions: [...notReady, unscheduled] },
  )
  t.match(other?.proposals, [
    { command: /^vethlab kubectl \S+ label node\/node-a kubernetes\.io\/os=windows --overwrite$/ },
  ])
})
