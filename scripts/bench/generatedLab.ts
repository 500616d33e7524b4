import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GeneratedLab {
  readonly nodes: number
  readonly pods: number
}

/**
 * Writes a lab: one Deployment over so many nodes, one NodePort Service before it, one client; the steps call the
 * Service once with the checks that read packets, conntrack and counters, then a hundred times.
 */
export function writeLab(folder: string, { nodes, pods }: GeneratedLab): string {
  const names = Array.from({ length: nodes }, (_, index) => `node-${index + 1}`)
  mkdirSync(join(folder, 'manifests'), { recursive: true })
  writeFileSync(join(folder, 'lab.yaml'), labYaml(names))
  writeFileSync(join(folder, 'manifests/web.yaml'), manifests(pods))
  return folder
}

function labYaml(nodes: readonly string[]): string {
  return `title: Many pods
topology:
  nodes: [${nodes.join(', ')}]
  clients: [client]
manifests: [manifests]
steps:
  - name: Through the first node
    curl: http://{node-1}:30080/
    expect:
      status: 200
      servedBy: { service: web }
      dnat: { from: 'node-1:30080', to: web, port: 80, at: node-1 }
      chains: { hit: [KUBE-NODEPORTS, KUBE-SEP-*], on: node-1 }
  - name: A hundred times
    curl: http://{node-1}:30080/
    repeat: 100
    expect: { status: 200, dnat: { from: 'node-1:30080', to: web, port: 80, at: node-1 } }
`
}

function manifests(replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: nginx, ports: [{ containerPort: 80 }] }
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  type: NodePort
  selector: { app: web }
  ports: [{ port: 80, nodePort: 30080 }]
`
}
