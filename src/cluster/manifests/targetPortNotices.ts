import { namespacedName } from '../namespacedName.js'
import type { PodIndex } from '../labelIndex.js'
import { isEchoContainer } from '../pods/containerCommand.js'
import { declaresPorts } from '../pods/echoPorts.js'
import { resolveTargetPort, servingContainers } from '../pods/podFacts.js'
import type { Cluster, Pod, Service, ServicePort } from '../types.js'
import { objectKey, positionText, type LocatedObject } from './locatedObject.js'

/**
 * A notice for each port of a Service whose targetPort no container of the selected pods declares. With `objects`, only for
 * Services among them, with the position in their file.
 */
export function targetPortNotices(
  cluster: Cluster,
  pods: PodIndex,
  objects?: readonly LocatedObject[],
): string[] {
  const located = new Map(objects?.map((one) => [objectKey(one.object), one]))
  return cluster.services.flatMap((service) => {
    const own = located.get(objectKey(service))
    if (objects !== undefined && own === undefined) return []
    const selected = selectedPods(service, pods)
    return (service.spec.ports ?? []).flatMap((port, index) => {
      const problem = undeclared(port, selected, cluster)
      if (problem === undefined) return []
      const path = ['spec', 'ports', index, 'targetPort']
      const place = own === undefined ? '' : `${positionText(own.at(path))}: `
      return [`${place}Service ${namespacedName(service)}: ${problem}`]
    })
  })
}

/** Pods whose echo server follows the target ports of Services, because their containers declare no ports. */
export function followingPods(cluster: Cluster, pods: PodIndex): Pod[] {
  const selected = cluster.services.flatMap((service) => selectedPods(service, pods))
  return [...new Set(selected)].filter(
    (pod) => !declaresPorts(pod) && servingContainers(pod).some((one) => isEchoContainer(pod, one, cluster)),
  )
}

function selectedPods({ metadata, spec }: Service, pods: PodIndex): readonly Pod[] {
  const { selector = {}, type } = spec
  if (type === 'ExternalName' || Object.keys(selector).length === 0) return []
  return pods.select(metadata.namespace, selector)
}

/** Undefined if a pod declares the port, or if one declares none: it says nothing about where its programs listen. */
function undeclared(
  { port, targetPort = port, protocol = 'TCP' }: ServicePort,
  pods: readonly Pod[],
  cluster: Cluster,
): string | undefined {
  if (pods.length === 0) return undefined
  const named = typeof targetPort === 'string'
  if (pods.some((pod) => !declaresPorts(pod) && !named)) return undefined
  const declared = pods.flatMap((pod) => servingContainers(pod).flatMap(({ ports = [] }) => ports))
  const isDeclared = pods.some((pod) => {
    const number = resolveTargetPort(pod, targetPort, protocol)
    return servingContainers(pod).some(({ ports = [] }) =>
      ports.some((one) => one.containerPort === number && (one.protocol ?? 'TCP') === protocol),
    )
  })
  if (isDeclared) return undefined
  const listed = [
    ...new Set(
      declared.map(
        ({ name, containerPort, protocol: own = 'TCP' }) =>
          `${containerPort}/${own}${name === undefined ? '' : ` (${name})`}`,
      ),
    ),
  ]
  const they = listed.length === 0 ? 'they declare no ports' : `they declare ${listed.join(', ')}`
  if (named)
    return `no container of its pods has a port named "${targetPort}" for ${protocol}; ${they}: the port has no endpoints`
  const hasProgram = pods.some((pod) =>
    servingContainers(pod).some((one) => !isEchoContainer(pod, one, cluster)),
  )
  const then = hasProgram ? 'only a program that listens there anyway answers' : 'nothing listens there'
  return `no container of its pods declares targetPort ${targetPort}/${protocol}; ${they}: ${then}`
}
