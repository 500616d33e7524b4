import t from 'tap'
import { runLab } from '../../src/lab/steps/runLab.js'
import { cannotRun } from './ability.js'

const lab = `
title: UDP, IPv6, hairpin and a node's own requests
topology: { nodes: [node-a, node-b], clients: [client], families: [IPv4, IPv6] }
steps:
  - name: udp through a node port
    nc: { host: '{node-a}', port: 30053, udp: true, send: hello }
    repeat: 5
  - name: nothing there
    nc: { host: '{node-a}', port: 30054, udp: true, send: hello }
    expect: { fails: refused }
  - name: ping pod v6
    from: app=dns@node-a
    ping: '{node-b.ipv6}'
  - name: v6 nodeport
    curl: http://{node-a.ipv6}:30080/
    repeat: 40
    expect: { status: 200, share: { service: dns } }
  - name: hairpin
    from: app=dns@node-a
    curl: http://{dns}/
    repeat: 40
    expect: { status: 200, some: { snat: { to: node-a } } }
  - name: tcp nc
    nc: { host: '{dns}', port: 80 }
    from: node-a
  - name: node to its own node port by localhost
    from: node-a
    curl: http://127.0.0.1:30080/
    expect: { status: 200, dnat: {to: dns, at: node-a} }
`

const manifest = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: dns }
spec:
  replicas: 2
  selector: { matchLabels: { app: dns } }
  template:
    metadata: { labels: { app: dns } }
    spec: { containers: [ { name: a, image: x, ports: [ { containerPort: 53, protocol: UDP }, { containerPort: 8080, name: http } ] } ] }
---
apiVersion: v1
kind: Service
metadata: { name: dns }
spec:
  type: NodePort
  ipFamilyPolicy: RequireDualStack
  selector: { app: dns }
  ports: [ { name: http, port: 80, targetPort: http, nodePort: 30080 }, { name: dns, port: 53, protocol: UDP, nodePort: 30053 } ]
`

t.test('both families, both protocols, and requests from everywhere', { skip: cannotRun }, async (t) => {
  const folder = t.testdir({ 'lab.yaml': lab, manifests: { 'app.yaml': manifest } })
  const result = await runLab(folder)
  for (const step of result.steps) {
    for (const { name, ok, observed } of step.checks) t.ok(ok, `${step.name}: ${name} (${observed})`)
  }
  t.equal(result.steps.length, 7)
  const hairpin = result.steps[4]?.flows.find(({ nat }) => nat.some(({ kind }) => kind === 'SNAT'))
  t.equal(hairpin?.hops.at(-1)?.netns, hairpin?.hops[0]?.netns, 'a pod reached itself through its Service')
})
