import t from 'tap'
import { cluster } from '../lab.js'

const pod = (name: string, addresses: string, node = 'node-a') => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, annotations: { cni.projectcalico.org/ipAddrs: '${addresses}' } }
spec: { nodeName: ${node}, containers: [{ name: web, image: nginx }] }
---
`
const addresses = (text: string) => cluster(text).pods.map(({ status }) => status?.podIP)

t.test('a pod gets the address that it asks for, before other pods get it', async (t) => {
  t.strictSame(addresses(pod('a', '') + pod('b', '["10.244.1.2"]') + pod('c', '["10.244.1.77"]')), [
    '10.244.1.3',
    '10.244.1.2',
    '10.244.1.77',
  ])
})

t.test('an address that a node does not have, or that is taken, is not given', async (t) => {
  const asked = ['["10.244.2.9"]', '["10.244.1.1"]', '["10.244.1.255"]', '["x"]', 'x', '{}']
  t.strictSame(
    addresses(asked.map((one, index) => pod(`p${index}`, one)).join('')),
    asked.map((_, index) => `10.244.1.${index + 2}`),
  )
  t.strictSame(addresses(pod('a', '["10.244.1.9"]') + pod('b', '["10.244.1.9"]')), [
    '10.244.1.9',
    '10.244.1.2',
  ])
})
