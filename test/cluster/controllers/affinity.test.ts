import { schedulePods, unschedulableReason } from '../../../src/cluster/controllers/scheduler.js'
import type { Cluster, Pod } from '../../../src/cluster/types.js'
import t from 'tap'
import { cluster, deployment, refusals } from '../lab.js'

const zones = {
  nodes: [
    { name: 'node-a', zone: 'east', labels: { disk: 'ssd', cores: '4' } },
    { name: 'node-b', zone: 'east', labels: { disk: 'nvme', cores: '16' } },
    { name: 'node-c', zone: 'west', labels: { cores: '8' } },
  ],
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

/** The nodes of the pods, in the order in which they were placed. */
function placed(text: string): (string | undefined)[] {
  return cluster(text, zones).pods.map((pod) => pod.spec.nodeName)
}

/** Terms of which a node has to match one, each with its conditions in flow style. */
function nodeTerms(...terms: string[]): string {
  const written = terms.map((conditions) => `{ matchExpressions: [${conditions}] }`).join(', ')
  return `affinity: { nodeAffinity: { ${required}: { nodeSelectorTerms: [${written}] } } }`
}

function podTerm(kind: string, app: string, topologyKey: string, more = ''): string {
  const term = `labelSelector: { matchLabels: { app: ${app} } }, topologyKey: ${topologyKey}${more}`
  return `affinity: { ${kind}: { ${required}: [{ ${term} }] } }`
}

t.test('required node affinity: each operator, terms as alternatives', async (t) => {
  const on = (...terms: string[]) => placed(deployment('web', 1, nodeTerms(...terms)))
  t.same(on('{ key: disk, operator: In, values: [nvme, sata] }'), ['node-b'])
  t.same(on('{ key: disk, operator: NotIn, values: [ssd, nvme] }'), ['node-c'], 'also without the label')
  t.same(on('{ key: disk, operator: DoesNotExist }'), ['node-c'])
  t.same(on('{ key: disk, operator: Exists }, { key: cores, operator: Gt, values: ["4"] }'), ['node-b'])
  t.same(on('{ key: cores, operator: Lt, values: ["8"] }'), ['node-a'], 'as numbers, not as text')
  t.same(on('{ key: gpu, operator: Exists }', '{ key: disk, operator: In, values: [nvme] }'), ['node-b'])
  const byName = `affinity: { nodeAffinity: { ${required}: { nodeSelectorTerms: [{ matchFields: [{ key: metadata.name, operator: In, values: [node-c] }] }] } } }`
  t.same(placed(deployment('web', 1, byName)), ['node-c'])
})

t.test('preferred node affinity decides before the number of pods', async (t) => {
  const term =
    '{ weight: 5, preference: { matchExpressions: [{ key: disk, operator: In, values: [nvme] }] } }'
  const text = deployment('web', 2, `affinity: { nodeAffinity: { ${preferred}: [${term}] } }`)
  t.same(placed(text), ['node-b', 'node-b'])
})

t.test('a DaemonSet runs on the nodes that its node affinity requires', async (t) => {
  const set = deployment('agent', 1, nodeTerms('{ key: disk, operator: Exists }'))
    .replace('Deployment', 'DaemonSet')
    .replace('  replicas: 1\n', '')
  t.same(placed(set), ['node-a', 'node-b'])
})

t.test('a pod that no node takes: what it requires, and the nearest node', async (t) => {
  const hint = (spec: string) =>
    refusals(() => cluster(deployment('web', 1, spec), zones)).map((line) =>
      line.replace(/^.*selector\.; /, ''),
    )
  const affinity = nodeTerms(
    '{ key: disk, operator: In, values: [sata, tape] }, { key: cores, operator: Gt, values: ["4"] }',
  )
  t.same(hint(affinity), [
    'the node affinity requires disk in (sata,tape),cores>4; the nearest node, node-b, has disk=nvme; topology.nodes in lab.yaml sets labels',
  ])
  t.same(
    hint(
      `{ nodeSelector: { disk: ssd }, ${nodeTerms('{ key: gpu, operator: Exists }')} }`
        .slice(2, -2)
        .replace(', affinity', '\n      affinity'),
    ),
    [
      'the nodeSelector and the node affinity require disk=ssd,gpu; the nearest node, node-a, has no label gpu; topology.nodes in lab.yaml sets labels',
    ],
  )
  t.match(
    refusals(() => cluster(deployment('web', 1, affinity), zones)),
    [
      /^a\.yaml:11:7: a pod of Deployment "web" cannot be scheduled: 0\/3 nodes are available: 3 node\(s\) didn't match Pod's node affinity\/selector\./,
    ],
  )
})

t.test('required pod anti-affinity: one pod for each node, or each zone', async (t) => {
  const apart = (key: string) => podTerm('podAntiAffinity', 'web', key)
  t.same(placed(deployment('web', 3, apart('kubernetes.io/hostname'))), ['node-a', 'node-b', 'node-c'])
  t.same(placed(deployment('web', 2, apart('topology.kubernetes.io/zone'))), ['node-a', 'node-c'])
  t.same(
    refusals(() => cluster(deployment('web', 3, apart('topology.kubernetes.io/zone')), zones)),
    [
      `a.yaml:11:7: a pod of Deployment "web" cannot be scheduled: 0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.; topology.nodes in lab.yaml adds nodes`,
    ],
  )
})

t.test('the anti-affinity of a pod that is placed keeps others away', async (t) => {
  const alone = deployment('alone', 1, podTerm('podAntiAffinity', 'web', 'topology.kubernetes.io/zone'))
  t.same(placed(alone + deployment('web', 2)), ['node-a', 'node-c', 'node-c'])
  const everywhere = deployment('alone', 1, podTerm('podAntiAffinity', 'web', 'kubernetes.io/os'))
  t.match(
    refusals(() => cluster(everywhere + deployment('web', 1), zones)),
    [/0\/3 nodes are available: 3 node\(s\) didn't satisfy existing pods anti-affinity rules\./],
  )
})

t.test('required pod affinity: beside the pods that it selects, or beside itself', async (t) => {
  const beside = (app: string, more = '') => podTerm('podAffinity', app, 'topology.kubernetes.io/zone', more)
  const data = deployment('data', 1, 'nodeSelector: { kubernetes.io/hostname: node-c }')
  t.same(placed(data + deployment('web', 2, beside('data'))), ['node-c', 'node-c', 'node-c'])
  t.same(placed(deployment('web', 3, beside('web'))), ['node-a', 'node-b', 'node-a'], 'the first pod is free')
  const lines = refusals(() => cluster(data + deployment('web', 1, beside('none')), zones))
  t.match(lines, [/3 node\(s\) didn't match pod affinity rules\./])
  const elsewhere = refusals(() =>
    cluster(data + deployment('web', 1, beside('data', ', namespaces: [other]')), zones),
  )
  t.match(elsewhere, [/didn't match pod affinity rules/], 'pods of other namespaces')
  t.same(placed(data + deployment('web', 1, beside('data', ', namespaceSelector: {}'))), ['node-c', 'node-c'])
})

t.test('a pod that no node takes gets a node that is labelled later', async (t) => {
  const node = (labels: Readonly<Record<string, string>>) => ({
    ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-a', labels } },
    ...{ spec: {}, status: {} },
  })
  const pod = {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' } },
    spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c', image: 'x' }] },
  }
  const before = { nodes: [node({})], pods: [pod] } as unknown as Cluster
  const pending = schedulePods(before)
  t.match(unschedulableReason(pending.pods[0] as Pod), /0\/1 nodes are available/)
  const after = schedulePods({ ...pending, nodes: [node({ disk: 'ssd' })] as unknown as Cluster['nodes'] })
  t.equal(after.pods[0]?.spec.nodeName, 'node-a')
})
