import { isRecord } from '../manifests/loose.js'
import type { Container, Probe } from '../types.js'
import { filled, type Fields } from './filled.js'
import { defaultReferences } from './volume.js'

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

const httpDefaults = { path: '/', scheme: 'HTTP' }

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }

/** Default fields of a container (SetDefaults_Container). */
function containerDefaults({ image }: Container): Fields {
  return {
    imagePullPolicy: hasFixedTag(image) ? 'IfNotPresent' : 'Always',
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  }
}

/** False for the tag `latest`, which an image without a tag or digest has. */
function hasFixedTag(image: string): boolean {
  const tag = /:([^:/@]+)$/.exec(image)?.[1]
  return image.includes('@') || (tag !== undefined && tag !== 'latest')
}

/** Sets the defaults of a container, in a pod or in a template. */
export function defaultContainer(container: Container): Container {
  const result: Container = filled(container, containerDefaults(container))
  if (container.ports !== undefined)
    result.ports = container.ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' }))
  if (container.env !== undefined)
    result.env = container.env.map((variable) =>
      isRecord(variable.valueFrom)
        ? { ...variable, valueFrom: defaultReferences(variable.valueFrom) }
        : variable,
    )
  for (const name of probes) if (container[name] !== undefined) result[name] = defaultProbe(container[name])
  if (isRecord(container['lifecycle'])) result['lifecycle'] = defaultHooks(container['lifecycle'])
  return result
}

function defaultProbe(probe: Probe): Probe {
  const { grpc } = probe
  return {
    ...filled(defaultHandler(probe), probeDefaults),
    ...(grpc === undefined ? {} : { grpc: filled(grpc, { service: '' }) }),
  }
}

function defaultHooks(hooks: Fields): Fields {
  return Object.fromEntries(
    Object.entries(hooks).map(([name, hook]) => [name, isRecord(hook) ? defaultHandler(hook) : hook]),
  )
}

function defaultHandler<Handler extends object>(handler: Handler): Handler {
  const { httpGet } = handler as { httpGet?: unknown }
  return isRecord(httpGet) ? { ...handler, httpGet: filled(httpGet, httpDefaults) } : handler
}

/** In a pod with hostNetwork every container port is a host port (SetDefaults_Pod): in a pod, not in a template. */
export function withHostPorts(container: Container): Container {
  const { ports } = container
  if (ports === undefined) return container
  return {
    ...container,
    ports: ports.map((port) => ({ ...port, hostPort: port.hostPort ?? port.containerPort })),
  }
}

/** Requests that are not set are the limits (SetDefaults_Pod): in a pod, not in a template. */
export function withRequests(container: Container): Container {
  const { resources } = container
  const limits = isRecord(resources) ? resources['limits'] : undefined
  if (!isRecord(resources) || !isRecord(limits)) return container
  const requests = filled(isRecord(resources['requests']) ? resources['requests'] : {}, limits)
  return { ...container, resources: { ...resources, requests } }
}
