import type { LocatedObject } from '../../src/cluster/manifests/manifests.js'
import type { KubeObject } from '../../src/cluster/types.js'

/** Objects as parsing returns them, without the cost of YAML. */
function located(objects: readonly object[]): LocatedObject[] {
  const at = () => ({ file: 'generated', line: 1, column: 1 })
  return objects.map((object) => ({ object: object as KubeObject, file: 'generated', at }))
}

/** Deployments with five pods and five Services each. */
export function manyObjects(deployments: number): LocatedObject[] {
  return located(
    Array.from({ length: deployments }, (_, index) => index).flatMap((index) => {
      const app = `app-${index}`
      const metadata = { name: app, namespace: 'default' }
      const spec = { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] }
      const template = { metadata: { labels: { app, tier: 'web' } }, spec }
      const services = Array.from({ length: 5 }, (_, number) => ({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: `${app}-${number}`, namespace: 'default' },
        spec: {
          type: 'ClusterIP',
          selector: { tier: 'web', app },
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        },
      }))
      const selector = { matchLabels: { app } }
      return [
        { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 5, selector, template } },
        ...services,
      ]
    }),
  )
}

/** A cluster with this number of nodes. */
export function manyNodes(count: number): { name: string; labels: Record<string, string> }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `node-${index}`, labels: {} }))
}
