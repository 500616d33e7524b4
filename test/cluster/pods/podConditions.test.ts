import t from 'tap'
import { podConditions } from '../../../src/cluster/pods/podConditions.js'
import type { Pod, PodCondition } from '../../../src/cluster/types.js'

const since = '2026-11-21T00:00:00Z'
const lastTransitionTime = '2026-11-22T00:00:00Z'

function pod(phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed', ...conditions: PodCondition[]): Pod {
  const containers = ['web', 'log'].map((name) => ({ name, image: 'echo' }))
  const metadata = { name: 'web', namespace: 'default' }
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers }, status: { phase, conditions } }
}

function states(conditions: readonly PodCondition[]): string {
  return conditions.map(({ type, status, reason = '' }) => `${type}=${status} ${reason}`.trim()).join(', ')
}

t.test('conditions are in the order of kubelet, after those of others', async (t) => {
  const ready = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type): PodCondition => ({
    ...{ type, status: 'True', lastTransitionTime },
  }))
  const gate: PodCondition = { type: 'example.com/gate', status: 'True' }
  const shown = podConditions(pod('Running', ...ready, gate), since, () => true)
  t.equal(
    states(shown),
    'example.com/gate=True, PodReadyToStartContainers=True, Initialized=True, Ready=True, ContainersReady=True, PodScheduled=True',
  )
  t.strictSame(shown[1], { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: since })
  t.strictSame(shown[3], { type: 'Ready', status: 'True', lastTransitionTime }, 'recorded times stay')
})

t.test('containers that are not ready are named', async (t) => {
  const pending = podConditions(pod('Pending'), since, () => false)
  t.equal(
    states(pending),
    'PodReadyToStartContainers=False, Initialized=True, Ready=False ContainersNotReady, ' +
      'ContainersReady=False ContainersNotReady, PodScheduled=True',
  )
  t.equal(pending[2]?.message, 'containers with unready status: [web log]')
  const one = podConditions(
    pod('Running', { type: 'Ready', status: 'False' }),
    since,
    (name) => name === 'web',
  )
  t.equal(one[2]?.message, 'containers with unready status: [log]')
})

t.test('containers that have ended are not ready', async (t) => {
  const ended = (phase: 'Succeeded' | 'Failed') => {
    const unready = ['Ready', 'ContainersReady'].map((type): PodCondition => ({ type, status: 'False' }))
    return states(podConditions(pod(phase, ...unready), since, () => false))
      .split(', ')
      .slice(0, 3)
  }
  t.strictSame(ended('Succeeded'), [
    ...['PodReadyToStartContainers=False', 'Initialized=True', 'Ready=False PodCompleted'],
  ])
  t.equal(ended('Failed')[2], 'Ready=False PodFailed')
})
