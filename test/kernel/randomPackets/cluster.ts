import type { Draw } from './draw.js'

/** The files of a lab, by path. */
export type LabFiles = Readonly<Record<string, string>>

/** Ports that random Services, rules and packets have in common, so that they meet. */
export const somePorts = [53, 80, 443, 8080, 5353] as const

/** A lab with random workloads and Services on two nodes. */
export function randomLab(draw: Draw): LabFiles {
  const ipv6 = draw.boolean()
  const network = draw.oneOf('routes', 'routes', 'vxlan')
  const apps = draw.integer({ min: 1, max: 2 })
  const services = draw.integer({ min: 1, max: 4 })
  const objects = [
    ...Array.from({ length: apps }, (_, index) => deployment(draw, index)),
    ...Array.from({ length: services }, (_, index) => service(draw, index, apps)),
  ]
  const lab = {
    title: 'Random packets',
    summary: 'A random cluster.',
    topology: {
      nodes: ['node-a', 'node-b'],
      clients: ['client', 'other'],
      families: [ipv6 ? 'IPv6' : 'IPv4'],
      network: { mode: network },
    },
    kubeProxy: { iptables: { masqueradeAll: draw.boolean(), localhostNodePorts: draw.boolean() } },
    manifests: ['objects.yaml'],
    steps: [{ name: 'nothing', from: 'client', command: ['true'] }],
  }
  // JSON is YAML
  return {
    'lab.yaml': JSON.stringify(lab),
    'objects.yaml': objects.map((one) => JSON.stringify(one)).join('\n---\n'),
  }
}

function deployment(draw: Draw, index: number) {
  const labels = { app: `app-${index}` }
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `app-${index}` } },
    spec: {
      replicas: draw.integer({ min: 0, max: 3 }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              ...{ name: 'web', image: 'nginx' },
              ports: [
                { name: 'http', containerPort: 8080 },
                { name: 'dns', containerPort: 5353, protocol: 'UDP' },
              ],
            },
          ],
        },
      },
    },
  }
}

function service(draw: Draw, index: number, apps: number) {
  const type = draw.oneOf('ClusterIP', 'NodePort', 'LoadBalancer')
  const outside = type !== 'ClusterIP'
  const protocols: readonly string[] = draw.oneOf('TCP', 'TCP UDP', 'UDP', 'TCP SCTP').split(' ')
  const affinity = draw.oneOf(false, false, true)
  return {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: `service-${index}` } },
    spec: {
      type,
      // some select nothing
      selector: { app: `app-${draw.integer({ min: 0, max: apps })}` },
      ports: protocols.map((protocol, at) => ({
        ...{ name: `port-${at}`, protocol },
        port: draw.oneOf(...somePorts.slice(0, 3)) + at * 1000,
        targetPort: protocol === 'UDP' ? 5353 : draw.oneOf(8080, 8080, 9999),
        ...(outside ? { nodePort: 30000 + index * 10 + at } : {}),
      })),
      ...(affinity ? { sessionAffinity: 'ClientIP' } : {}),
      internalTrafficPolicy: draw.oneOf('Cluster', 'Cluster', 'Local'),
      ...(outside ? { externalTrafficPolicy: draw.oneOf('Cluster', 'Local') } : {}),
    },
  }
}
