import type { Endpoints, EndpointSubset } from '../cluster/kinds/shown.js'
import { isHeadless } from '../cluster/serviceType.js'
import type { Cluster, Endpoint, EndpointPort, EndpointSlice, KubeObject, Service } from '../cluster/types.js'

/**
 * The objects that only controllers and kubelets write: Endpoints of Services, ControllerRevisions, Events, a ServiceAccount
 * `default` for each namespace, and a Lease for each node. `since` is when the lab started.
 */
export function shownObjects(cluster: Cluster, namespaces: readonly string[], since: Date): KubeObject[] {
  return [
    ...endpointsOf(cluster),
    ...(cluster.controllerRevisions ?? []),
    ...(cluster.events?.events ?? []),
    ...namespaces.map((namespace) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace },
    })),
    ...cluster.nodes.map(({ metadata }) => leaseOf(metadata.name, since)),
  ]
}

/** The namespace of the Leases of nodes. */
export const leaseNamespace = 'kube-node-lease'

function leaseOf(name: string, since: Date): KubeObject {
  // metav1.MicroTime
  const renewTime = since.toISOString().replace('Z', '000Z')
  const object = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: leaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name }],
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime },
  }
  return object
}

const serviceLabel = 'kubernetes.io/service-name'
const managedByLabel = 'endpointslice.kubernetes.io/managed-by'
const headlessLabel = 'service.kubernetes.io/headless'

/** Endpoints controller: one object for each Service with a selector, from the slices of the Service's first family. */
function endpointsOf({ services, endpointSlices }: Cluster): Endpoints[] {
  const slices = new Map<string, EndpointSlice[]>()
  for (const slice of endpointSlices) {
    const { namespace = 'default', labels } = slice.metadata
    if (labels?.[managedByLabel] !== 'endpointslice-controller.k8s.io') continue
    const key = `${namespace}/${labels?.[serviceLabel]}/${slice.addressType}`
    const group = slices.get(key)
    if (group === undefined) slices.set(key, [slice])
    else group.push(slice)
  }
  return services
    .filter(({ spec }) => spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0)
    .map((service) => {
      const { name, namespace = 'default', labels = {} } = service.metadata
      const own = slices.get(`${namespace}/${name}/${service.spec.ipFamilies?.[0] ?? 'IPv4'}`) ?? []
      const subsets = subsetsOf(own)
      return {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name, namespace, labels: { ...labels, ...labelsOf(service) } },
        ...(subsets.length === 0 ? {} : { subsets }),
      }
    })
}

function labelsOf(service: Service): Record<string, string> {
  const managed = { 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' }
  return isHeadless(service) ? { ...managed, [headlessLabel]: '' } : managed
}

/** Ports whose endpoints are the same are one subset (RepackSubsets). */
function subsetsOf(slices: readonly EndpointSlice[]): EndpointSubset[] {
  const ofPort = new Map<string, { port: EndpointPort | undefined; found: Endpoint[] }>()
  for (const { endpoints, ports } of slices) {
    const found = endpoints.filter(({ conditions }) => conditions?.ready || !conditions?.terminating)
    if (found.length === 0) continue
    for (const port of ports === undefined || ports.length === 0 ? [undefined] : ports) {
      const key = JSON.stringify(port ?? null)
      const known = ofPort.get(key)
      if (known === undefined) ofPort.set(key, { port, found: [...found] })
      else known.found.push(...found)
    }
  }
  const subsets = new Map<string, { ports: EndpointPort[]; found: readonly Endpoint[] }>()
  for (const { port, found } of ofPort.values()) {
    const sorted = [...found].sort((a, b) => (first(a) < first(b) ? -1 : 1))
    const key = JSON.stringify(sorted)
    const subset = subsets.get(key) ?? { ports: [], found: sorted }
    if (port !== undefined) subset.ports.push(port)
    subsets.set(key, subset)
  }
  return [...subsets.values()].map(({ ports, found }) => {
    const ready = found.filter(({ conditions }) => conditions?.ready !== false)
    const notReady = found.filter(({ conditions }) => conditions?.ready === false)
    return {
      ...(ready.length === 0 ? {} : { addresses: ready.map(addressOf) }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady.map(addressOf) }),
      ...(ports.length === 0 ? {} : { ports: ports.map(portOf) }),
    }
  })
}

const first = ({ addresses }: Endpoint) => addresses[0] ?? ''

function addressOf(endpoint: Endpoint) {
  const { hostname, nodeName, targetRef } = endpoint
  return {
    ip: first(endpoint),
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  }
}

function portOf({ name = '', port, protocol, appProtocol }: EndpointPort) {
  return {
    ...(name === '' ? {} : { name }),
    ...(port === undefined ? {} : { port }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }
}
