import t from 'tap'
import { podSpecText } from '../../../src/cluster/validation/podForm.js'

const lines = (spec: object): string[] =>
  podSpecText({ containers: [{ name: 'web', image: 'x' }], ...spec }).split('\n')

t.test('selectors in a pod spec are printed with the fields of metav1 in their order', (t) => {
  const matchExpressions = [{ key: 'a', operator: 'In', values: ['b'] }]
  const labelSelector = { matchExpressions, matchLabels: { z: '1', a: '2' } }
  const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector }
  const printed = lines({ topologySpreadConstraints: [constraint] })
  const start = printed.findIndex((line) => line.includes('"LabelSelector"'))
  t.same(
    printed.slice(start, start + 6).map((line) => line.trim()),
    ['"LabelSelector": {', '"matchLabels": {', '"a": "2",', '"z": "1"', '},', '"matchExpressions": ['],
  )
  t.end()
})

t.test('a pod spec ends with the fields of Kubernetes 1.36', (t) => {
  t.same(lines({}).slice(-4), [
    ' "Resources": null,',
    ' "HostnameOverride": null,',
    ' "SchedulingGroup": null',
    '}',
  ])
  t.end()
})
