import * as z from 'zod'
import type { IngressSpec } from '../../ingress/ingressController.js'
import { argument } from '../file/requestSchema.js'

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const controllerName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/

const serviceSchema = z.strictObject({
  type: z
    .enum(['LoadBalancer', 'NodePort', 'ClusterIP'])
    .optional()
    .describe('Type of the Service. Default: LoadBalancer.'),
  externalTrafficPolicy: z
    .enum(['Cluster', 'Local'])
    .optional()
    .describe(
      'Whether a node forwards requests to all pods of the controller or only to its own. Default: Cluster.',
    ),
  annotations: z.record(z.string(), z.string()).optional().describe('Annotations of the Service.'),
})

/** One controller of a lab that serves Ingresses with a proxy in a pod. */
export const ingressSchema = z.strictObject({
  proxy: z
    .enum(['nginx', 'haproxy'])
    .optional()
    .describe('The proxy of the controller. Set either proxy or command.'),
  command: z
    .array(argument)
    .min(1)
    .optional()
    .describe(
      'A custom program that serves instead of a proxy, with its arguments; it starts in the folder of lab.yaml.',
    ),
  name: z
    .string()
    .max(50)
    .regex(dnsLabel, 'is not a DNS label')
    .optional()
    .describe(
      'Name of its namespace, and prefix of the names of its objects. Default: ingress-nginx, ingress-haproxy or ingress-command.',
    ),
  class: z
    .string()
    .max(253)
    .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'is not the name of an IngressClass')
    .optional()
    .describe(
      'Name of the IngressClass that vethlab creates if no manifest has one of its controller; also of the GatewayClass, if Gateways of the manifests use it. Default: nginx, haproxy or command.',
    ),
  controller: z
    .string()
    .max(253)
    .regex(controllerName, 'is not the name of a controller, such as example.com/ingress-controller')
    .optional()
    .describe(
      'The spec.controller of the IngressClasses and the spec.controllerName of the GatewayClasses to serve. Default: k8s.io/ingress-nginx, haproxy.org/ingress-controller or example.com/ingress-command.',
    ),
  replicas: z.int().min(1).max(20).optional().describe('Number of pods. Default: 1.'),
  service: serviceSchema.optional().describe('The Service of the controller.'),
  proxyProtocol: z
    .boolean()
    .optional()
    .describe(
      'Connections begin with a PROXY protocol header, which has the address of the client. A load balancer of mode proxy then sends it. Default: false.',
    ),
})

type IngressFile = z.infer<typeof ingressSchema>

/** Default names of controllers; for the two proxies those of their projects. */
const known = {
  nginx: { name: 'ingress-nginx', controller: 'k8s.io/ingress-nginx' },
  haproxy: { name: 'ingress-haproxy', controller: 'haproxy.org/ingress-controller' },
  command: { name: 'ingress-command', controller: 'example.com/ingress-command' },
} as const

/** The controller of an entry of `ingress`. */
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
