import { controllerName } from '../../ingress/ingressController.js'
import { parseManifests, type LocatedObject } from '../../cluster/manifests/manifests.js'
import type { IngressClass } from '../../cluster/types.js'
import type { Gateway, GatewayClass, ListenerSet } from '../../cluster/types/gateway.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { proxyProtocolAnnotation } from '../../topology/proxyBalancer.js'
import { namesParent } from '../../ingress/gateway/listenerSets.js'
import { commandProgram } from '../../host/ingress/commandProgram.js'
import {
  controllersFolder,
  proxyCommand,
  proxyPrograms,
  type ProxyProgram,
} from '../../host/ingress/proxyProgram.js'
import type { IngressSpec } from '../../ingress/ingressController.js'

/** The ports of every ingress controller. */
const usualPorts = [
  { name: 'http', port: 80 },
  { name: 'https', port: 443 },
]

/** Images; the first two are those that the projects publish. */
const images = {
  nginx: 'registry.k8s.io/ingress-nginx/controller',
  haproxy: 'haproxytech/kubernetes-ingress',
  command: 'example.com/ingress-command',
} as const

/** Folder of the sandbox that holds what a controller's proxies read, and a folder for each of its pods. */
export function ingressFolder({ name }: Pick<IngressSpec, 'name'>): string {
  return `${controllersFolder}/${name}`
}

/** The folder of the lab, for commands of controllers. */
export function labFolder(spec: Pick<IngressSpec, 'name'>): string {
  return `${ingressFolder(spec)}/lab`
}

/** What a controller's pods run. */
export function programOf(spec: Pick<IngressSpec, 'name' | 'proxy' | 'command'>): ProxyProgram {
  return spec.proxy === 'command' ? commandProgram(spec.command, labFolder(spec)) : proxyPrograms[spec.proxy]
}

/** The name of an additional port in the controller's Service. */
function portName(port: number): string {
  return usualPorts.find((one) => one.port === port)?.name ?? `port-${port}`
}

/** The ports of a controller's Service: the usual ones and those of listeners. */
function servicePorts(asked: readonly number[]): readonly object[] {
  const ports = new Set([...usualPorts.map(({ port }) => port), ...[...asked].sort((a, b) => a - b)])
  return [...ports].map((port) => ({ name: portName(port), port, protocol: 'TCP', targetPort: port }))
}

/**
 * The objects that an entry of `ingress` adds to a lab: its classes if no manifest has them, a namespace, a Deployment
 * whose pods run the proxy, and the Service in front of them. They are read like manifests, with the same defaults and
 * validation.
 */
export function controllerObjects(
  spec: IngressSpec,
  families: readonly IpFamily[],
  objects: readonly LocatedObject[],
): readonly LocatedObject[] {
  const namespace = spec.name
  const name = controllerName(spec)
  const labels = { 'app.kubernetes.io/name': spec.name, 'app.kubernetes.io/component': 'controller' }
  const { annotations: given, ...service } = spec.service
  const annotations = { ...(spec.proxyProtocol ? { [proxyProtocolAnnotation]: '*' } : {}), ...given }
  const added = [
    ...(hasClass(spec, objects) ? [] : [ingressClass(spec)]),
    ...(lacksGatewayClass(spec, objects) ? [gatewayClass(spec)] : []),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace, labels, annotations },
      spec: {
        ...service,
        selector: labels,
        ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
        ports: servicePorts(listenerPorts(spec, objects)),
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace, labels },
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: 'controller',
                image: images[spec.proxy],
                command: proxyCommand(programOf(spec), ingressFolder(spec)),
                ports: [{ name: 'http', containerPort: 80 }],
              },
            ],
          },
        },
      },
    },
  ]
  const text = added.map((object) => JSON.stringify(object)).join('\n---\n')
  return parseManifests([{ path: `the objects of ingress controller ${spec.name}`, text }]).objects
}

/**
 * The ports of Gateways of a controller's classes and of their ListenerSets when the lab starts; the Service gets no
 * others later.
 */
function listenerPorts(spec: IngressSpec, given: readonly LocatedObject[]): number[] {
  const { controller } = spec
  const objects = given.map(({ object }) => object)
  const classes = objects.filter((one): one is GatewayClass => one.kind === 'GatewayClass')
  const names = new Set(
    classes.filter((one) => one.spec.controllerName === controller).map(({ metadata }) => metadata.name),
  )
  if (lacksGatewayClass(spec, given)) names.add(spec.class)
  const gateways = objects
    .filter((one): one is Gateway => one.kind === 'Gateway')
    .filter(({ spec }) => names.has(spec.gatewayClassName))
  const sets = objects
    .filter((one): one is ListenerSet => one.kind === 'ListenerSet')
    .filter((set) => gateways.some((gateway) => namesParent(set.spec.parentRef, set, gateway)))
  return [...gateways, ...sets].flatMap(({ spec }) => spec.listeners.map(({ port }) => port))
}

function hasClass({ controller }: IngressSpec, given: readonly LocatedObject[]): boolean {
  return given.some(
    ({ object }) => object.kind === 'IngressClass' && (object as IngressClass).spec.controller === controller,
  )
}

function ingressClass({ class: name, controller }: IngressSpec): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name },
    spec: { controller },
  }
}

/** Whether Gateways use the controller's class, and no GatewayClass has its name or its controller. */
function lacksGatewayClass(spec: IngressSpec, given: readonly LocatedObject[]): boolean {
  const objects = given.map(({ object }) => object)
  const asked = objects.some(
    (one) => one.kind === 'Gateway' && (one as Gateway).spec.gatewayClassName === spec.class,
  )
  const isOfIt = (one: GatewayClass) =>
    one.metadata.name === spec.class || one.spec.controllerName === spec.controller
  return asked && !objects.some((one) => one.kind === 'GatewayClass' && isOfIt(one as GatewayClass))
}

function gatewayClass({ class: name, controller }: IngressSpec): object {
  return {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'GatewayClass',
    metadata: { name },
    spec: { controllerName: controller },
  }
}
