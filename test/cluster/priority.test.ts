import t from 'tap'
import { cluster, refusals } from './lab.js'

const priorityClass = (name: string, value: number, more = '') =>
  `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: ${name} }\nvalue: ${value}\n${more}---\n`
const pod = (spec = '') =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { ${spec} containers: [{ name: web, image: x }] }\n---\n`
const rejected = (text: string) => refusals(() => cluster(text))

t.test('a pod gets the priority and the preemption policy of its class', (t) => {
  const high = priorityClass('high', 1000, 'preemptionPolicy: Never\n')
  const spec = (text: string) => cluster(text).pods[0]?.spec
  t.match(spec(high + pod('priorityClassName: high,')), { priority: 1000, preemptionPolicy: 'Never' })
  t.match(spec(pod()), {
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    priorityClassName: undefined,
  })
  t.match(spec(pod('priorityClassName: system-node-critical,')), { priority: 2_000_001_000 })
  t.match(spec(priorityClass('usual', 7, 'globalDefault: true\n') + pod()), {
    priority: 7,
    priorityClassName: 'usual',
  })
  const set = `apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: { name: web }\nspec: { selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { priorityClassName: high, containers: [{ name: web, image: x }] } } }\n`
  t.match(spec(high + set), { priority: 1000 })
  t.end()
})

t.test('what the admission plugin rejects', (t) => {
  t.same(rejected(pod('priorityClassName: nope,')), [
    'a.yaml:4:28: pods "web" is forbidden: no PriorityClass with name nope was found',
  ])
  t.match(rejected(priorityClass('high', 1000) + pod('priorityClassName: high, priority: 5,')), [
    /pods "web" is forbidden: the integer value of priority \(5\) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name$/,
  ])
  t.match(rejected(pod('preemptionPolicy: Never,')), [
    /the string value of PreemptionPolicy \(Never\) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given/,
  ])
  const standard = (name: string) => priorityClass(name, 1, 'globalDefault: true\n')
  t.match(rejected(standard('one') + standard('two')), [
    /priorityclasses\.scheduling\.k8s\.io "one" is forbidden: PriorityClass two is already marked as default\. Only one default can exist/,
    /"two" is forbidden/,
  ])
  t.end()
})
