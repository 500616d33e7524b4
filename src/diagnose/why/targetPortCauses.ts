import type { ObjectField } from '../../agents/meaning.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { matchesLabels } from '../../cluster/selectors.js'
import { resolveTargetPort, servingContainers } from '../../cluster/pods/podFacts.js'
import type { EndpointSlice, ServicePort } from '../../cluster/types.js'
import { nearestName } from '../../text/nearestName.js'
import { patchProposal, portsPatch, serviceField, type Failure, type TargetPort } from './asked.js'
import type { Cause } from './types.js'

type SlicePort = NonNullable<EndpointSlice['ports']>[number]

/** Whether a slice has the port of a Service: kube-proxy joins them by name and protocol. */
export function hasPort({ ports }: EndpointSlice, { port }: TargetPort): boolean {
  return (ports ?? []).some((one) => one.port !== undefined && isSame(one, port))
}

function isSame(one: SlicePort, other: Pick<ServicePort, 'name' | 'protocol'>): boolean {
  return (one.name ?? '') === (other.name ?? '') && (one.protocol ?? 'TCP') === (other.protocol ?? 'TCP')
}

/** A targetPort by a name that no pod has. */
export function targetPortCauses(failure: Failure, target: TargetPort): Cause[] {
  const { service, port, index } = target
  const { targetPort, protocol = 'TCP' } = port
  if (typeof targetPort !== 'string') return []
  const pods = failure.snapshot.model.cluster.pods.filter(
    (pod) =>
      pod.metadata.namespace === service.metadata.namespace &&
      matchesLabels(service.spec.selector ?? {}, pod.metadata.labels),
  )
  if (pods.some((pod) => resolveTargetPort(pod, targetPort, protocol) !== undefined)) return []
  const ports = pods
    .slice(0, 1)
    .flatMap((pod) => servingContainers(pod).flatMap(({ ports: own }) => own ?? []))
  const ofProtocol = ports.filter(({ protocol: own = 'TCP' }) => own === protocol)
  const names = ofProtocol.flatMap(({ name }) => name ?? [])
  const near = nearestName(targetPort, names)
  const ordered = [
    ...(near === undefined ? names : [near, ...names.filter((name) => name !== near)]),
    ...ofProtocol.flatMap(({ name, containerPort }) => (name === undefined ? [containerPort] : [])),
  ]
  const field = `spec.ports[${index}].targetPort`
  return [
    {
      code: 'targetport-name-unknown',
      says: `no container port of the pods is named "${targetPort}"${names.length === 0 ? '' : `; there is ${names.map((name) => `"${name}"`).join(', ')}`}: the port has no endpoints`,
      object: serviceField(service, field),
      proposals: ordered.map((found) =>
        patchProposal(
          failure,
          serviceField(service, field),
          portsPatch(target, { targetPort: found }),
          `${field}: ${targetPort} → ${found}`,
        ),
      ),
    },
  ]
}

/** Slices with ready endpoints of a Service without a selector, and none of their ports is the Service's. */
export function slicePortCauses(
  failure: Failure,
  target: TargetPort,
  slices: readonly EndpointSlice[],
): Cause[] {
  const { service, port, index } = target
  return slices.slice(0, 1).map(({ metadata, ports }): Cause => {
    const [first, ...others] = ports ?? []
    const { namespace = 'default', name } = metadata
    const object: ObjectField = { kind: 'EndpointSlice', namespace, name, field: 'ports' }
    const field = serviceField(service, `spec.ports[${index}].name`)
    const listed = ports?.map(portText).join(', ') ?? ''
    // the controller that mirrors Endpoints would write it again
    const isMirrored = metadata.labels?.[managedBy]?.startsWith('endpointslicemirroring') === true
    const renamed = first && [
      { ...first, name: port.name ?? '', protocol: port.protocol ?? 'TCP' },
      ...others,
    ]
    return {
      code: 'slice-port-different',
      says: `the port of Service ${namespacedName(service)} is ${portText(port)}, and EndpointSlice ${namespace}/${name} has ${listed === '' ? 'no port' : listed}: kube-proxy joins ports by name and protocol`,
      object,
      proposals: [
        ...(renamed === undefined || isMirrored
          ? []
          : [
              patchProposal(
                failure,
                object,
                { ports: renamed },
                `ports[0]: ${portText(first ?? {})} → ${portText(port)}`,
              ),
            ]),
        ...(first === undefined || first.protocol !== (port.protocol ?? 'TCP')
          ? []
          : [
              patchProposal(
                failure,
                field,
                portsPatch(target, { name: first.name ?? '' }),
                `${field.field}: ${nameText(port)} → ${nameText(first)}`,
              ),
            ]),
      ],
    }
  })
}

const managedBy = 'endpointslice.kubernetes.io/managed-by'

function portText(port: Pick<SlicePort, 'name' | 'protocol'>): string {
  return `${nameText(port)} (${port.protocol ?? 'TCP'})`
}

function nameText({ name = '' }: Pick<SlicePort, 'name'>): string {
  return name === '' ? 'without a name' : `"${name}"`
}
