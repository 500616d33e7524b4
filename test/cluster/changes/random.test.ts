import fc from 'fast-check'
import t from 'tap'
import {
  foresee,
  podReady,
  podRemoved,
  podRunning,
  reconcileLive,
} from '../../../src/cluster/changes/index.js'
import { isEnding } from '../../../src/cluster/pods/endPods.js'
import { isReady, podAddresses } from '../../../src/cluster/pods/podFacts.js'
import type { Cluster, Pod } from '../../../src/cluster/types.js'
import { InputError } from '../../../src/errors.js'
import { cluster, deployment, service, twoNodes, written, applies, type Writes } from '../lab.js'
import { runs } from '../../suite.js'

const now = '2026-01-02T03:04:05Z'

const statefulSet = deployment('db', 2)
  .replace('kind: Deployment', 'kind: StatefulSet')
  .replace('spec:\n', 'spec:\n  serviceName: db\n')
const daemonSet = deployment('agent', 1)
  .replace('kind: Deployment', 'kind: DaemonSet')
  .replace(/ {2}replicas.*\n/, '')
const everything = deployment('web', 3) + service('web') + statefulSet + service('db') + daemonSet

const names = fc.constantFrom('web', 'db', 'agent', 'other')
const ref = fc.record({
  kind: fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet', 'Service', 'ReplicaSet', 'Namespace'),
  name: names,
})
const type = fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName')

const change: fc.Arbitrary<Writes> = fc.oneof(
  fc.record({ verb: fc.constant('scale' as const), ref, replicas: fc.integer({ min: -1, max: 6 }) }),
  fc.record({ verb: fc.constant('restart' as const), ref }),
  fc.array(fc.record({ verb: fc.constant('delete' as const), ref }), { maxLength: 2 }),
  fc.array(
    fc.record({
      verb: fc.constantFrom('label' as const, 'annotate' as const),
      ref,
      values: fc.dictionary(fc.constantFrom('app', 'a', 'not a key'), fc.constantFrom('web', 'x', null)),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  type.map((one): Writes => ({
    verb: 'patch',
    ref: { kind: 'Service', name: 'web' },
    patch: { spec: { type: one, externalName: one === 'ExternalName' ? 'example.com' : null } },
  })),
  fc.constantFrom(
    applies(everything),
    applies(service('web', 'type: NodePort')),
    applies(service('other', 'clusterIP: None')),
    applies(deployment('web', 5).replace('nginx', 'nginx:2')),
  ),
)

/** The next report of a kubelet about one of its pods. */
function kubelet(before: Cluster, choice: number): Cluster {
  const busy = before.pods.filter((pod) => isEnding(pod) || !isReady(pod))
  const pod = busy[choice % Math.max(1, busy.length)]
  if (pod === undefined) return before
  if (isEnding(pod)) return podRemoved(before, pod.metadata)
  return pod.status?.phase === 'Running'
    ? podReady(before, pod.metadata, true)
    : podRunning(before, pod.metadata, now)
}

function duplicates(values: readonly (string | number)[]): (string | number)[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

/** Values that must be unique. */
function shared({ pods, services }: Cluster): (string | number)[] {
  const ports = services.flatMap(({ spec }) => (spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []))
  const clusterIPs = services.flatMap(({ spec }) => spec.clusterIPs ?? []).filter((ip) => ip !== 'None')
  return duplicates([
    ...pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ...pods.flatMap(podAddresses),
    ...ports,
    ...clusterIPs,
  ])
}

t.test('any change is made or rejected with a message, and the cluster settles', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(change, fc.array(fc.nat(20), { maxLength: 6 })), { maxLength: 8 }),
      (turns) => {
        let current = cluster(everything)
        for (const [one, kubelets] of turns) {
          try {
            current = reconcileLive(written(current, one, { ...twoNodes, now }).cluster)
          } catch (error) {
            if (!(error instanceof InputError)) throw error
          }
          for (const choice of kubelets) current = reconcileLive({ ...kubelet(current, choice), now })
          if (shared(current).length > 0) throw new Error(`shared: ${shared(current).join()}`)
        }
        const rest = foresee(current)
        return foresee(rest) === rest && rest.pods.every((pod) => isReady(pod) && !isEnding(pod))
      },
    ),
    { numRuns: runs(300) },
  )
  t.pass('300 runs')
  t.end()
})

const bound = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('0%', '25%', '50%', '100%'))

function share(value: number | string, whole: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number(value.replace('%', '')) * whole) / 100)
}

t.test('a rollout stays within maxSurge and maxUnavailable at every step', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      bound,
      bound,
      fc.array(fc.nat(50), { minLength: 100, maxLength: 100 }),
      (replicas, maxSurge, maxUnavailable, choices) => {
        const surge = share(maxSurge, replicas, Math.ceil)
        const allowed = share(maxUnavailable, replicas, Math.floor)
        // both may round to 0; two zeros are rejected
        fc.pre([maxSurge, maxUnavailable].some((value) => value !== 0 && value !== '0%'))
        const unavailable = surge === 0 && allowed === 0 ? 1 : allowed
        const strategy = { rollingUpdate: { maxSurge, maxUnavailable } }
        const text = deployment('web', replicas).replace(
          '  template:',
          `  strategy: ${JSON.stringify(strategy)}\n  template:`,
        )
        const made = written(cluster(text), applies(text.replace('nginx', 'nginx:2')), {
          ...twoNodes,
          now,
        })
        let current = reconcileLive(made.cluster)
        for (let step = 0; isRollingOut(current, replicas); step++) {
          const counted = current.pods.filter((pod) => !isEnding(pod))
          const available = counted.filter(isReady)
          if (counted.length > replicas + surge) throw new Error(`${counted.length} pods`)
          if (available.length < replicas - unavailable) throw new Error(`${available.length} available`)
          if (step > 200) throw new Error('the rollout stands still')
          current = reconcileLive({ ...kubelet(current, choices[step % choices.length] ?? 0), now })
        }
        return current.pods.every(isNew)
      },
    ),
    { numRuns: runs(200) },
  )
  t.pass('200 runs')
  t.end()
})

function isRollingOut({ pods }: Cluster, replicas: number): boolean {
  return pods.length !== replicas || pods.some((pod) => isEnding(pod) || !isReady(pod) || !isNew(pod))
}

function isNew({ spec }: Pod): boolean {
  return spec.containers[0]?.image === 'nginx:2'
}
