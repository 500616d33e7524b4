import * as z from 'zod'
import { argument } from '../file/requestSchema.js'

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const controllerName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

const serviceSchema = z.strictObject({
  type: z
    .enum(['LoadBalancer', 'NodePort', 'ClusterIP'])
    .optional()
    .describe('The type of the Service in front of the controller; LoadBalancer by default.'),
  externalTrafficPolicy: z
    .enum(['Cluster', 'Local'])
    .optional()
    .describe(
      'Whether each node passes requests on to any controller pod or to its own; Cluster by default.',
    ),
  annotations: z.record(z.string(), z.string()).optional().describe('Annotations of the Service.'),
})

/** One controller of a lab that serves Ingresses with a proxy in a pod. */
export const ingressSchema = z.strictObject({
  proxy: z
    .enum(['nginx', 'haproxy'])
    .optional()
    .describe('The proxy that serves: nginx or haproxy. One of proxy and command is there.'),
  command: z
    .array(argument)
    .min(1)
    .optional()
    .describe(
      'A program of your own that serves instead, with its arguments; it is started in the folder of lab.yaml.',
    ),
  name: z
    .string()
    .max(50)
    .regex(dnsLabel, 'is not a DNS label')
    .optional()
    .describe('Its namespace, and the stem of the names of its objects; ingress-nginx for nginx by default.'),
  class: z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'is not the name of an IngressClass')
    .optional()
    .describe(
      'The IngressClass that is made for it where no manifest has one; the name of the proxy by default, or command.',
    ),
  controller: z
    .string()
    .max(253)
    .regex(controllerName, 'is not the name of a controller, such as example.com/ingress-controller')
    .optional()
    .describe('The spec.controller of the classes that it serves.'),
  replicas: z.int().min(1).max(20).optional().describe('How many pods it has; 1 by default.'),
  service: serviceSchema.optional().describe('The Service in front of its pods.'),
  proxyProtocol: z
    .boolean()
    .optional()
    .describe('Whether connections come with a header of the PROXY protocol; false by default.'),
})

type IngressFile = z.infer<typeof ingressSchema>

/** A controller with its defaults filled in. */
export interface IngressSpec {
  /** Its namespace, and the stem of the names of its objects. */
  readonly name: string
  readonly proxy: 'nginx' | 'haproxy' | 'command'
  /** What is run for the proxy `command`, in the folder of the lab. */
  readonly command: readonly string[]
  readonly class: string
  readonly controller: string
  readonly replicas: number
  readonly service: Readonly<{
    type: 'LoadBalancer' | 'NodePort' | 'ClusterIP'
    externalTrafficPolicy?: 'Cluster' | 'Local' | undefined
    annotations?: Readonly<Record<string, string>> | undefined
  }>
  readonly proxyProtocol: boolean
}

/** What controllers are called: those of the two proxies as their projects name themselves. */
const known = {
  nginx: { name: 'ingress-nginx', controller: 'k8s.io/ingress-nginx' },
  haproxy: { name: 'ingress-haproxy', controller: 'haproxy.org/ingress-controller' },
  command: { name: 'ingress-command', controller: 'example.com/ingress-command' },
} as const

/** The controller that an entry of `ingress` asks for. */
export function toIngress(given: IngressFile): IngressSpec {
  const { proxy = 'command', command = [] } = given
  const { name, controller } = known[proxy]
  const { type = 'LoadBalancer', ...service } = given.service ?? {}
  return {
    name: given.name ?? name,
    ...{ proxy, command },
    class: given.class ?? proxy,
    controller: given.controller ?? controller,
    replicas: given.replicas ?? 1,
    service: { type, ...service },
    proxyProtocol: given.proxyProtocol ?? false,
  }
}
