import fc from 'fast-check'
import t from 'tap'
import { StatusError } from '../../src/apiserver/status.js'
import { readProtobuf } from '../../src/apiserver/write/protobuf.js'

type Part = string | number | readonly Field[]
type Field = readonly [number: number, value: Part]

/** A message: texts and messages with their length, numbers as varints. */
function encoded(fields: readonly Field[]): Buffer {
  const bytesOf = (value: bigint): number[] =>
    value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...bytesOf(value >> 7n)]
  const varint = (value: number) => bytesOf(BigInt.asUintN(64, BigInt(value)))
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)])
      const bytes = typeof value === 'string' ? Buffer.from(value) : encoded(value)
      return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])
    }),
  )
}

function body(apiVersion: string, kind: string, object: readonly Field[]): Buffer {
  const type: Field = [1, [[1, apiVersion], [2, kind]]] // prettier-ignore
  return Buffer.concat([Buffer.from('k8s\0'), encoded([type, [2, object]])])
}

// The numbers of the fields in k8s.io/api: core/v1/generated.proto and batch/v1/generated.proto.
const container: Field = [2, [[1, 'c1'], [2, 'busybox'], [3, 'date'], [15, [[1, [[1, 'SYS_PTRACE']]]]]]] // prettier-ignore
const podSpec: Field = [2, [container, [3, 'OnFailure'], [4, 0], [10, 'node-a']]]
const jobSpec: Field = [2, [[1, 2], [2, 0], [6, [podSpec]], [10, 0]]] // prettier-ignore
const inJson = {
  containers: [
    {
      name: 'c1',
      image: 'busybox',
      command: ['date'],
      securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
    },
  ],
  restartPolicy: 'OnFailure',
  terminationGracePeriodSeconds: 0,
  nodeName: 'node-a',
}
const job = { parallelism: 2, completions: 0, template: { spec: inJson }, suspend: false }
const owner: Field = [13, [[1, 'CronJob'], [3, 'c1'], [4, 'a-b'], [5, 'batch/v1'], [6, 1]]] // prettier-ignore

t.test('reads what kubectl create job, create cronjob and debug send', (t) => {
  t.same(readProtobuf(body('v1', 'Pod', [[1, [[1, 'copy']]], podSpec])), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'copy' },
    spec: inJson,
  })
  t.same(readProtobuf(body('batch/v1', 'Job', [[1, [[1, 'j'], owner]], jobSpec])), {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'j',
      ownerReferences: [
        { kind: 'CronJob', name: 'c1', uid: 'a-b', apiVersion: 'batch/v1', controller: true },
      ],
    },
    spec: job,
  })
  t.same(
    readProtobuf(
      body('batch/v1', 'CronJob', [
        [
          2,
          [
            [1, '* * * * *'],
            [5, [jobSpec]],
          ],
        ],
      ]),
    ),
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: { schedule: '* * * * *', jobTemplate: { spec: job } },
    },
  )
  t.end()
})

t.test('a field that would be lost is rejected', (t) => {
  const later: Field = [99, [[1, 'x']]]
  t.throws(() => readProtobuf(body('v1', 'Pod', [[2, [later]]])), {
    message: /field 99 of PodSpec is not known/,
  })
  t.end()
})

t.test('reads what kubectl create priorityclass sends', (t) => {
  const object: Field[] = [[1, [[1, 'high']]], [2, 0], [3, 1], [4, 'for labs'], [5, 'Never']] // prettier-ignore
  t.same(readProtobuf(body('scheduling.k8s.io/v1', 'PriorityClass', object)), {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 0,
    globalDefault: true,
    description: 'for labs',
    preemptionPolicy: 'Never',
  })
  t.match(readProtobuf(body('scheduling.k8s.io/v1', 'PriorityClass', [[2, -10]])), { value: -10 })
  t.end()
})

t.test('reads what k9s sends to scale, drain and delete', (t) => {
  const status: Field = [3, [[1, 2], [2, 'app=web']]] // prettier-ignore
  t.same(
    readProtobuf(body('autoscaling/v1', 'Scale', [[1, [[1, 'web'], [6, '12']]], [2, [[1, 3]]], status])), // prettier-ignore
    {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'web', resourceVersion: '12' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=web' },
    },
  )
  t.strictSame(
    readProtobuf(body('autoscaling/v1', 'Scale', [[2, [[1, 0]]]]))['spec'],
    {},
    'as Go writes 0 in JSON',
  )
  const options: Field[] = [[1, 0], [2, [[1, 'a-b']]], [4, 'Background'], [5, 'All']] // prettier-ignore
  const inJson = {
    gracePeriodSeconds: 0,
    preconditions: { uid: 'a-b' },
    propagationPolicy: 'Background',
    dryRun: ['All'],
  }
  t.same(readProtobuf(body('v1', 'DeleteOptions', options)), {
    ...{ apiVersion: 'v1', kind: 'DeleteOptions' },
    ...inJson,
  })
  t.match(
    readProtobuf(
      body('policy/v1', 'Eviction', [
        [1, [[1, 'web-a']]],
        [2, options],
      ]),
    ),
    {
      kind: 'Eviction',
      metadata: { name: 'web-a' },
      deleteOptions: inJson,
    },
  )
  t.end()
})

t.test('reads what a typed client of Go sends back after it has read an object', (t) => {
  const quantity: Field = [2, [[1, '64Mi']]] // prettier-ignore
  const probe: Field = [11, [[1, [[2, [[2, [[1, 0], [2, 8080], [3, '']]]]]]], [4, 5]]] // prettier-ignore
  const fieldPath: Field = [3, [[1, [[1, 'v1'], [2, 'status.podIP']]]]] // prettier-ignore
  const container: Field = [
    2,
    [[1, 'web'], [2, ''], [7, [[1, 'IP'], [2, ''], fieldPath]], [8, [[2, [[1, 'memory'], quantity]]]], probe, [16, 0]], // prettier-ignore
  ]
  const meta: Field = [
    1,
    [
      [1, 'web'],
      [5, 'a-b'],
      [7, 3],
      [8, [[1, 1_764_115_200], [2, 0]]], // prettier-ignore
      [9, [[1, 0], [2, 0]]], // prettier-ignore
      [14, 'example.com/keep'],
      [17, [[1, 'kubectl']]],
    ],
  ]
  const selector: Field = [2, [[1, [[1, 'app'], [2, 'web']]]]] // prettier-ignore
  const template: Field = [3, [[1, []], [2, [container, [21, 0], [34, [[1, [[1, 'debug']]], [2, 'web']]]]]]] // prettier-ignore
  const deployment = body('apps/v1', 'Deployment', [
    meta,
    [2, [[1, 0], selector, template, [4, [[1, 'RollingUpdate'], [2, [[1, [[1, 1], [2, 0], [3, '25%']]]]]]], [7, 0]]], // prettier-ignore
    [3, [[1, 0]]],
  ])
  t.strictSame(readProtobuf(deployment), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      uid: 'a-b',
      generation: 3,
      creationTimestamp: '2025-11-26T00:00:00Z',
      finalizers: ['example.com/keep'],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: {},
        spec: {
          containers: [
            {
              name: 'web',
              env: [{ name: 'IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } }],
              resources: { requests: { memory: '64Mi' } },
              readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 5 },
            },
          ],
          automountServiceAccountToken: false,
          ephemeralContainers: [{ name: 'debug', targetContainerName: 'web' }],
        },
      },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } },
    },
    status: {},
  })
  t.end()
})

t.test('any other bytes are an object or an error of the client', (t) => {
  const valid = body('apps/v1', 'Deployment', [[1, [[1, 'web'], [8, [[1, 1_764_115_200]]]]], [2, [[1, 2], [3, [podSpec]]]]]) // prettier-ignore
  const kinds = ['Deployment', 'Node', 'Pod', 'Service', 'constructor', '__proto__']
  const damaged = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
    .map((changes) =>
      changes.reduce((bytes, [at, value]) => bytes.fill(value, at, at + 1), Buffer.from(valid)),
    )
  const random = fc
    .tuple(fc.constantFrom(...kinds), fc.uint8Array({ maxLength: 60 }))
    .map(([kind, bytes]) => body('v1', kind, [[1, Buffer.from(bytes).toString('latin1')]]))
  fc.assert(
    fc.property(fc.oneof(damaged, random), (bytes) => {
      try {
        JSON.stringify(readProtobuf(bytes))
      } catch (error) {
        if (!(error instanceof StatusError) || error.status.code !== 400) throw error
      }
    }),
    { numRuns: 2000 },
  )
  t.throws(() => readProtobuf(body('v1', 'Pod', [[1, [[8, [[1, 1e15]]]]]])), { message: /is not a time/ })
  t.end()
})
