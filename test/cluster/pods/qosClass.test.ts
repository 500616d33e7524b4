import t from 'tap'
import { qosClass } from '../../../src/cluster/pods/qosClass.js'
import type { Pod } from '../../../src/cluster/types.js'

const pod = (...resources: (object | undefined)[]): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: resources.map((one) => ({ name: 'a', image: 'x', resources: one })) },
})

t.test('the class of a pod by the CPU and memory of its containers', (t) => {
  const all = { cpu: 1, memory: '1Gi' }
  t.equal(qosClass(pod({}, undefined)), 'BestEffort')
  t.equal(qosClass(pod({ requests: { cpu: 0 }, limits: { memory: '0' } })), 'BestEffort')
  t.equal(qosClass(pod({ limits: { 'ephemeral-storage': '1Gi' } })), 'BestEffort')
  t.equal(qosClass(pod({ requests: { cpu: '1000m', memory: '1024Mi' }, limits: all })), 'Guaranteed')
  t.equal(qosClass(pod({ limits: all }, {})), 'Burstable', 'one container has none')
  t.equal(qosClass(pod({ requests: { cpu: '500m' }, limits: all })), 'Burstable')
  t.equal(qosClass(pod({ limits: { cpu: 1 } })), 'Burstable')
  t.end()
})
