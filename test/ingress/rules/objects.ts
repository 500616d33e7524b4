import type { Cluster } from '../../../src/cluster/types.js'
import { prefixes } from '../../../src/ingress/rules/annotations.js'
import { ingressConfiguration } from '../../../src/ingress/rules/ingressConfiguration.js'
import type { Route } from '../../../src/ingress/model.js'
import { cluster } from '../../cluster/lab.js'

/** Services a and b with two and one ready pods, an ExternalName c, and the class `nginx`. */
export const services = `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: { name: nginx }
spec: { controller: k8s.io/ingress-nginx }
---
${service('a', 2)}
---
${service('b', 1)}
---
apiVersion: v1
kind: Service
metadata: { name: c }
spec: { type: ExternalName, externalName: example.com }
`

function service(name: string, replicas: number): string {
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: web, image: nginx, ports: [{ name: http, containerPort: 8080 }] }] }
---
apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ name: web, port: 80, targetPort: http }] }
`
}

interface Written {
  readonly annotations?: Record<string, string>
  readonly labels?: Record<string, string>
  readonly creationTimestamp?: string
  readonly namespace?: string
}

/** An Ingress of class nginx; its spec as JSON. */
export function ingress(name: string, spec: Record<string, unknown>, more: Written = {}): string {
  return JSON.stringify({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, ...more },
    spec: { ingressClassName: 'nginx', ...spec },
  })
}

/** A rule with paths of type Prefix, each to a Service's port 80. */
export function rule(host: string | undefined, paths: Record<string, string>, pathType = 'Prefix') {
  return {
    ...(host === undefined ? {} : { host }),
    http: { paths: Object.entries(paths).map(([path, to]) => ({ path, pathType, backend: to80(to) })) },
  }
}

/** A backend: port 80 of a Service. */
export function to80(name: string) {
  return { service: { name, port: { number: 80 } } }
}

/** A cluster of the Services above and more objects, after all controllers have run. */
export function clusterWith(...objects: readonly string[]): Cluster {
  return cluster([services, ...objects].join('\n---\n'))
}

/** The configuration of the nginx controller for a cluster. */
export function compiled(...objects: readonly string[]) {
  const given = clusterWith(...objects)
  const found = ingressConfiguration(given, {
    controller: 'k8s.io/ingress-nginx',
    prefixes: prefixes.nginx,
    ports: { http: 80, https: 443 },
    proxyProtocol: false,
  })
  const [plain, secure] = found.configuration.listeners
  const routes = (listener: typeof plain, hostname: string): readonly Route[] =>
    listener?.hosts.find((host) => host.hostname === hostname)?.routes ?? []
  return {
    ...found,
    plain: (hostname = '*') => routes(plain, hostname),
    secure: (hostname = '*') => routes(secure, hostname),
    messages: found.findings.map(
      ({ object, reason, message }) => `${object.metadata.name} ${reason}: ${message}`,
    ),
  }
}

/** A route as text: its path and the backends with their weights. */
export function routeText({ path, headers, action }: Route): string {
  const conditions = headers.map(({ name, value }) => ` ${name}=${value}`).join('')
  const to =
    action.kind === 'forward'
      ? action.backends.map(({ name, weight }) => `${name}*${weight}`).join(' ')
      : action.kind
  return `${path.type} ${path.value}${conditions} > ${to}`
}
