import { groupBy } from '../../groupBy.js'
import type { Cluster, Endpoint, EndpointSlice, Pod, Service } from '../types.js'
import { addressRecord, dashed, pointer } from './names.js'
import type { DnsRecord, DnsZone } from './types.js'

/** kubeadm's default cluster domain. */
export const clusterDomain = 'cluster.local'

/** Version of the Kubernetes DNS-based service discovery that the records follow. */
const schemaVersion = '1.1.0'

/** The objects that have DNS records. */
export type DnsObjects = Pick<Cluster, 'namespaces' | 'pods' | 'services' | 'endpointSlices'>

/**
 * The records of a cluster, as the Kubernetes DNS specification defines them and CoreDNS serves them. Only existing
 * pods have a record (`pods verified`).
 */
export function dnsZone({ namespaces, pods, services, endpointSlices }: DnsObjects): DnsZone {
  const slices = groupBy(endpointSlices, (slice) =>
    key(slice.metadata.namespace, slice.metadata.labels?.['kubernetes.io/service-name']),
  )
  const records = [
    { name: `dns-version.${clusterDomain}`, type: 'TXT', text: schemaVersion } as const,
    ...services.flatMap((service) =>
      serviceRecords(service, slices.get(key(service.metadata.namespace, service.metadata.name)) ?? []),
    ),
    ...pods.flatMap(podRecords),
  ]
  return {
    origin: clusterDomain,
    records: distinct(records),
    emptyNames: namespaces.map(({ metadata }) => `${metadata.name}.svc.${clusterDomain}`),
  }
}

function serviceRecords(service: Service, slices: readonly EndpointSlice[]): DnsRecord[] {
  const name = serviceName(service)
  const { type, externalName = '', clusterIP } = service.spec
  if (type === 'ExternalName')
    return [{ name, type: 'CNAME', target: externalName.toLowerCase().replace(/\.$/, '') }]
  if (clusterIP === 'None') return slices.flatMap((slice) => headlessRecords(name, slice))
  return clusterIPRecords(name, service)
}

function clusterIPRecords(name: string, { spec }: Service): DnsRecord[] {
  const addresses = spec.clusterIPs ?? (spec.clusterIP === undefined ? [] : [spec.clusterIP])
  return [
    ...addresses.flatMap((address) => [addressRecord(name, address), pointer(address, name)]),
    ...(spec.ports ?? []).flatMap((port) => srv(name, port, name)),
  ]
}

function headlessRecords(
  service: string,
  { endpoints, ports = [], addressType }: EndpointSlice,
): DnsRecord[] {
  if (addressType === 'FQDN') return []
  return endpoints.filter(isPublished).flatMap((endpoint) =>
    endpoint.addresses.flatMap((address) => {
      const name = `${endpoint.hostname ?? dashed(address)}.${service}`
      return [
        addressRecord(service, address),
        addressRecord(name, address),
        pointer(address, name),
        ...ports.flatMap((port) => srv(service, port, name)),
      ]
    }),
  )
}

/** For a Service with publishNotReadyAddresses, all its slices report ready. */
function isPublished({ conditions }: Endpoint): boolean {
  return conditions?.ready !== false
}

function srv(
  service: string,
  port: NonNullable<EndpointSlice['ports']>[number],
  target: string,
): DnsRecord[] {
  const { name = '', protocol = 'TCP', port: number } = port
  if (name === '' || number === undefined) return []
  return [{ name: `_${name}._${protocol.toLowerCase()}.${service}`, type: 'SRV', port: number, target }]
}

function podRecords({ metadata, status }: Pod): DnsRecord[] {
  return (status?.podIPs ?? []).map(({ ip }) =>
    addressRecord(`${dashed(ip)}.${metadata.namespace ?? 'default'}.pod.${clusterDomain}`, ip),
  )
}

function serviceName({ metadata }: Service): string {
  return `${metadata.name}.${metadata.namespace ?? 'default'}.svc.${clusterDomain}`
}

function key(namespace = 'default', name = ''): string {
  return `${namespace}/${name}`
}

/** hostNetwork pods of one node share an address, and two slices may contain the same endpoint. */
function distinct(records: readonly DnsRecord[]): DnsRecord[] {
  return [...new Map(records.map((record) => [JSON.stringify(record), record])).values()]
}
