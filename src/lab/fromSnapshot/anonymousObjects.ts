import { parseKubeProxyConfiguration } from '../../agents/kubeProxy/parseConfig.js'
import { parseDocuments } from '../../cluster/yaml/documents.js'
import type { ConfigMap, KubeObject } from '../../cluster/types.js'
import { stringify } from 'yaml'

type Fields = Readonly<Record<string, unknown>>

/** What a snapshot uses of an object, without what may name somebody: messages, commands, annotations, uids. Undefined for other objects. */
export function essentialObject(object: KubeObject): KubeObject | undefined {
  const { apiVersion, kind, metadata, ...fields } = object as KubeObject & Fields
  const own = essentialFields(kind, fields, object)
  if (own === undefined) return undefined
  const { name, namespace, labels, annotations = {} } = metadata
  const stored = [metadata.uid, metadata.resourceVersion, metadata.creationTimestamp].some(
    (one) => one !== undefined,
  )
  const kept = Object.entries(annotations).filter(([key]) =>
    key.startsWith('service.kubernetes.io/topology-'),
  )
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...defined({ name, namespace, labels }),
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
      // only that it is stored, or ends
      ...(stored && { creationTimestamp: '2000-01-01T00:00:00Z' }),
      ...(metadata.deletionTimestamp !== undefined && { deletionTimestamp: '2000-01-01T00:00:00Z' }),
    },
    ...own,
  } as unknown as KubeObject
}

function essentialFields(kind: string, fields: Fields, object: KubeObject): Fields | undefined {
  const { spec = {}, status = {} } = fields as { readonly spec?: Fields; readonly status?: Fields }
  switch (kind) {
    case 'Service':
      return { spec, status: pick(status, ['loadBalancer']) }
    case 'Endpoints':
      return pick(fields, ['subsets'])
    case 'EndpointSlice':
      return pick(fields, ['addressType', 'endpoints', 'ports'])
    case 'Namespace':
      return {}
    case 'IngressClass':
    case 'ServiceCIDR':
      return { spec: pick(spec, ['controller', 'cidrs']) }
    case 'Node':
      return {
        spec: pick(spec, ['podCIDR', 'podCIDRs', 'unschedulable', 'taints']),
        status: {
          addresses: list(status['addresses']).filter(({ type }) => /IP$/.test(String(type))),
          conditions: list(status['conditions']).map((one) => pick(one, ['type', 'status'])),
          nodeInfo: pick((status['nodeInfo'] ?? {}) as Fields, ['kubeletVersion']),
        },
      }
    case 'Pod':
      return {
        spec: {
          ...pick(spec, ['nodeName', 'hostNetwork']),
          containers: list(spec['containers']).map(container),
        },
        status: {
          ...pick(status, ['phase', 'podIP', 'podIPs', 'hostIP', 'hostIPs']),
          conditions: list(status['conditions']).map((one) => pick(one, ['type', 'status', 'reason'])),
        },
      }
    case 'ConfigMap':
      return kubeProxyConfig(object as ConfigMap)
    default:
      return undefined
  }
}

/** Flags with ranges of addresses. */
const flags = /^--(?:service-cluster-ip-range|cluster-cidr|service-node-port-range)=/

function container({ name, image, ports, command, args, ...probes }: Fields): Fields {
  const words = [...texts(command), ...texts(args)].filter((word) => flags.test(word))
  const version = /kube-proxy:(v?1\.\d+\.\d+)/.exec(String(image))?.[1]
  return {
    name,
    image: version === undefined ? 'image' : `kube-proxy:${version}`,
    ...defined({ ports }),
    ...(words.length > 0 && { command: words }),
    ...Object.fromEntries(
      ['readinessProbe', 'livenessProbe', 'startupProbe'].flatMap((key) => {
        const { exec, httpGet, ...probe } = (probes[key] ?? {}) as Fields
        if (probes[key] === undefined) return []
        const get =
          httpGet === undefined
            ? {}
            : { httpGet: { path: '/', ...pick(httpGet as Fields, ['port', 'scheme']) } }
        return [
          [key, { ...probe, ...get, ...(exec !== undefined && { exec: { command: ['probe'] } }) }] as const,
        ]
      }),
    ),
  }
}

/** The configuration of kube-proxy, without files and names of hosts. */
function kubeProxyConfig({ metadata, data = {} }: ConfigMap): Fields | undefined {
  if (!/^kube-proxy(-config|-worker)?$/.test(metadata.name)) return undefined
  const text = data['config.conf'] ?? data['config'] ?? data['kubeproxy-config.yaml']
  const value = text === undefined ? undefined : parseDocuments('config.conf', text).documents[0]?.value
  if (typeof value !== 'object' || Array.isArray(value) || value === null) return undefined
  const { clientConnection: _client, hostnameOverride: _host, logging: _logging, ...fields } = value as Fields
  if (parseKubeProxyConfiguration(fields).problems.length > 0) return undefined
  return { data: { 'config.conf': stringify(fields) } }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}

function pick(fields: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(
    keys.flatMap((key) => (fields[key] === undefined ? [] : [[key, fields[key]] as const])),
  )
}

function defined(fields: Fields): Fields {
  return pick(fields, Object.keys(fields))
}
