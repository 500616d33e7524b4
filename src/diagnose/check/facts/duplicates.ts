import { isTerminal } from '../../../cluster/pods/podFacts.js'
import { namespacedName } from '../../../cluster/namespacedName.js'
import type { KubeObject, Pod } from '../../../cluster/types.js'
import { groupBy } from '../../../groupBy.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { some, type Fact } from './fact.js'

/** Addresses that two pods, nodes or Services have, and ports of nodes that two programs use. */
export function duplicates({ model }: Snapshot): Fact[] {
  const { pods, nodes, services } = model.cluster
  const running = pods.filter((pod) => !isTerminal(pod))
  return [
    ...twice(
      running.flatMap((pod) =>
        pod.spec.hostNetwork === true
          ? []
          : (pod.status?.podIPs ?? []).map(({ ip }) => ({ key: ip, object: pod, field: 'status.podIP' })),
      ),
      (address, names) => `pods ${names} have the same address ${address}: packets reach only one of them`,
    ),
    ...twice(
      nodes.flatMap((node) =>
        (node.status?.addresses ?? []).flatMap(({ type, address }) =>
          type === 'InternalIP' ? [{ key: address, object: node, field: 'status.addresses' }] : [],
        ),
      ),
      (address, names) => `nodes ${names} have the same address ${address}: packets reach only one of them`,
    ),
    ...twice(
      services.flatMap((service) =>
        (service.spec.clusterIPs ?? [])
          .filter((address) => address !== 'None' && address !== '')
          .map((address) => ({ key: address, object: service, field: 'spec.clusterIP' })),
      ),
      (address, names) =>
        `Services ${names} have the same cluster IP ${address}: rules send requests to only one of them`,
    ),
    ...twice(
      services.flatMap((service) =>
        (service.spec.ports ?? []).flatMap(({ nodePort = 0, protocol = 'TCP' }, index) =>
          nodePort > 0
            ? [{ key: `${nodePort}/${protocol}`, object: service, field: `spec.ports[${index}].nodePort` }]
            : [],
        ),
      ),
      (port, names) =>
        `Services ${names} have the same node port ${port}: rules send requests to only one of them`,
    ),
    ...takenNodePorts(running, services),
  ]
}

interface Keyed {
  readonly key: string
  readonly object: KubeObject
  readonly field: string
}

function twice(all: readonly Keyed[], says: (key: string, names: string) => string): Fact[] {
  return [...groupBy(all, ({ key }) => key)].flatMap(([key, own]): Fact[] => {
    const names = [...new Set(own.map(({ object }) => nameOf(object)))]
    const last = own.at(-1)
    if (names.length < 2 || last === undefined) return []
    return [
      {
        code: 'address-duplicate',
        says: says(key, some(names)),
        object: fieldOf(last.object, last.field),
        fixes: [{ says: 'one of them gets another one' }],
      },
    ]
  })
}

/** Pods in the network of their node, and host ports, that use a node port: rules decide before sockets do. */
function takenNodePorts(pods: readonly Pod[], services: Snapshot['model']['cluster']['services']): Fact[] {
  const nodePorts = new Map(
    services.flatMap((service) =>
      (service.spec.ports ?? []).map(
        ({ nodePort = 0, protocol = 'TCP' }) => [`${nodePort}/${protocol}`, service] as const,
      ),
    ),
  )
  const used = pods.flatMap((pod) =>
    pod.spec.containers.flatMap(({ ports = [] }) =>
      ports.flatMap(({ containerPort, hostPort, protocol = 'TCP' }) => {
        const port = hostPort ?? (pod.spec.hostNetwork === true ? containerPort : undefined)
        const service = port === undefined ? undefined : nodePorts.get(`${port}/${protocol}`)
        return service === undefined || port === undefined ? [] : [{ pod, port, service }]
      }),
    ),
  )
  return [...groupBy(used, ({ port, service }) => `${port} ${namespacedName(service)}`).values()].flatMap(
    (own): Fact[] => {
      const [first] = own
      if (first === undefined) return []
      const { port, service } = first
      const index = (service.spec.ports ?? []).findIndex(({ nodePort }) => nodePort === port)
      const names = some([...new Set(own.map(({ pod }) => namespacedName(pod)))])
      return [
        {
          code: 'node-port-taken',
          says: `port ${port} of the nodes is the node port of Service ${namespacedName(service)}, and pod ${names} uses it too: requests to it do not reach both`,
          object: fieldOf(service, `spec.ports[${index}].nodePort`),
          fixes: [{ says: `the Service has another node port, or the pod another port than ${port}` }],
        },
      ]
    },
  )
}

function nameOf(object: KubeObject): string {
  return object.kind === 'Node' ? object.metadata.name : namespacedName(object)
}

function fieldOf({ kind, metadata }: KubeObject, field: string): NonNullable<Fact['object']> {
  return {
    kind,
    ...(kind !== 'Node' && { namespace: metadata.namespace ?? 'default' }),
    name: metadata.name,
    field,
  }
}
