import { addressFamily } from '../net/ranges.js'
import { repackSubsets } from '../cluster/endpointSubsets.js'
import { isHeadless, selectsPods } from '../cluster/serviceType.js'
import type {
  Cluster,
  Endpoint,
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSlice,
  EndpointSubset,
  IPAddress,
  KubeObject,
  Service,
} from '../cluster/types.js'

/**
 * The objects that only controllers and kubelets write: Endpoints of Services with a selector, ControllerRevisions, Events, a ServiceAccount
 * `default` for each namespace, and a Lease for each node. `since` is when the lab started.
 */
export function shownObjects(cluster: Cluster, namespaces: readonly string[], since: Date): KubeObject[] {
  return [
    ...endpointsOf(cluster),
    ...cluster.services.flatMap(addressesOf),
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

/** The IPAddresses of a Service, which the allocator of the API server writes. */
export function addressesOf({ metadata, spec }: Service): IPAddress[] {
  const { name, namespace = 'default' } = metadata
  return (spec.clusterIPs ?? [])
    .filter((address) => address !== 'None')
    .map((address) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IPAddress',
      metadata: {
        name: address,
        labels: {
          'ipaddress.kubernetes.io/ip-family': addressFamily(address) ?? 'IPv4',
          'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
        },
      },
      spec: { parentRef: { resource: 'services', namespace, name } },
    }))
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
  return services.filter(selectsPods).map((service) => {
    const { name, namespace = 'default', labels = {} } = service.metadata
    const own = slices.get(`${namespace}/${name}/${service.spec.ipFamilies?.[0] ?? 'IPv4'}`) ?? []
    const subsets = repackSubsets(own.map(subsetOf))
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

function subsetOf({ endpoints, ports = [] }: EndpointSlice): EndpointSubset {
  const found = endpoints.filter(({ conditions }) => conditions?.ready || !conditions?.terminating)
  return {
    addresses: found.filter(({ conditions }) => conditions?.ready !== false).map(addressOf),
    notReadyAddresses: found.filter(({ conditions }) => conditions?.ready === false).map(addressOf),
    ports: ports.map(portOf),
  }
}

function addressOf({ addresses: [ip = ''], hostname, nodeName, targetRef }: Endpoint): EndpointAddress {
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  }
}

function portOf({ name = '', port, protocol, appProtocol }: EndpointPort): EndpointPort {
  return {
    ...(name === '' ? {} : { name }),
    ...(port === undefined ? {} : { port }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }
}
