import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { fakeKubeProxy } from './fakeKubeProxy.js'
import { vethlab } from './servedCommands.js'

t.test('a step waits for the processes of the last sync', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  writeFileSync(
    join(lab, 'lab.yaml'),
    `steps:
  - name: The Service changes
    patch: { object: service/my-nodeport-service, with: { spec: { externalTrafficPolicy: Local } } }
  - name: The sync has ended
    from: node-a
    command: [iptables, -t, nat, -S, SYNC-ENDED]
`,
  )
  for (const like of ['1.36', '1.30'] as const) {
    const binary = make(['--like', like], ['--lingers', '3000'])
    const { code, stdout } = await vethlab(['run', lab, '--kube-proxy', binary])
    t.equal(code, 0, stdout)
  }
})

t.test('more rules than the kernel takes at once in a sandbox', { skip: cannotRun }, async (t) => {
  const make = await fakeKubeProxy(t)
  const lab = copyOfLab(t, 'nodeport')
  const addresses = Array.from({ length: 600 }, (_, index) => `10.244.${3 + (index >> 8)}.${index & 255}`)
  const many = `apiVersion: v1
kind: Service
metadata: { name: many }
spec: { clusterIP: 10.96.1.9, ports: [{ port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: many, labels: { kubernetes.io/service-name: many } }
addressType: IPv4
ports: [{ port: 80 }]
endpoints: [${addresses.map((address) => `{ addresses: [${address}] }`).join(', ')}]
`
  writeFileSync(join(lab, 'manifests', 'many.yaml'), many)
  writeFileSync(
    join(lab, 'lab.yaml'),
    `steps:
  - name: Every endpoint has its rule
    from: node-a
    command: [sh, -c, 'iptables-save -t nat | grep -c -- "-j DNAT --to-destination 10.244.[345]"']
    expect: { output: '600' }
`,
  )
  const binary = make(['--like', '1.36'])
  const { code, stdout } = await vethlab(['run', lab, '--kube-proxy', binary, '--iptables', 'nft'])
  t.equal(code, 0, stdout)
})
