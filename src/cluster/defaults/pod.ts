import type { Container, Pod, PodSpec, Probe } from '../types.js'

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

/**
 * Sets the defaults of a Pod; its status is dropped, because the cluster writes it (SetDefaults_Pod,
 * podStrategy.PrepareForCreate).
 */
export function defaultPod(pod: Pod): Pod {
  const { status: _written, ...rest } = pod
  return { ...rest, spec: defaultPodSpec(pod.spec) }
}

/** Sets the defaults of a PodSpec, in a pod or in a template (SetDefaults_PodSpec). */
export function defaultPodSpec(spec: PodSpec): PodSpec {
  const container = (item: Container): Container => defaultContainer(item, spec.hostNetwork === true)
  return {
    ...spec,
    restartPolicy: spec['restartPolicy'] ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 30,
    containers: spec.containers.map(container),
    ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(container) }),
  }
}

function defaultContainer(container: Container, hostNetwork: boolean): Container {
  const result: Container = { ...container }
  if (container.ports !== undefined)
    result.ports = container.ports.map((port) => ({
      ...port,
      protocol: port.protocol ?? 'TCP',
      // With hostNetwork every container port is a host port.
      ...(hostNetwork ? { hostPort: port.hostPort ?? port.containerPort } : {}),
    }))
  for (const name of probes) if (container[name] !== undefined) result[name] = defaultProbe(container[name])
  return result
}

function defaultProbe(probe: Probe): Probe {
  const { httpGet } = probe
  return {
    ...probe,
    ...(httpGet === undefined
      ? {}
      : { httpGet: { ...httpGet, path: httpGet.path ?? '/', scheme: httpGet.scheme ?? 'HTTP' } }),
    timeoutSeconds: probe.timeoutSeconds ?? 1,
    periodSeconds: probe.periodSeconds ?? 10,
    successThreshold: probe.successThreshold ?? 1,
    failureThreshold: probe.failureThreshold ?? 3,
  }
}
