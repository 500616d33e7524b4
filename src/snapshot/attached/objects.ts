import { clusterNetworkPolicy } from '../../cluster/kinds/clusterNetworkPolicy.js'
import { networkPolicy } from '../../cluster/kinds/networkPolicy.js'
import type { KubeObject } from '../../cluster/types.js'
import { parseDocuments, type Path } from '../../cluster/yaml/documents.js'
import type { AttachedObject } from './attachedObject.js'
import { tableObjects } from './tables.js'
import type { AttachedText } from './texts/model.js'

/** Kinds that decide about Services; others are counted only, and Secrets never kept. */
const kept = new Set([
  ...['Service', 'Endpoints', 'EndpointSlice', 'Pod', 'Node', 'Namespace', 'ConfigMap'],
  ...['NetworkPolicy', 'ClusterNetworkPolicy', 'Ingress', 'IngressClass', 'ServiceCIDR'],
])

/** Those of them that belong to no namespace. */
const ofCluster = new Set(['Node', 'Namespace', 'ClusterNetworkPolicy', 'IngressClass', 'ServiceCIDR'])

/** Objects of a text, and how many of other kinds it has, by kind. */
export interface ObjectsOfText {
  readonly objects: readonly AttachedObject[]
  readonly others: ReadonlyMap<string, number>
}

/** Reads `kubectl get` as YAML, JSON or tables; undefined if the text has no objects. */
export function readObjects(text: AttachedText): ObjectsOfText | undefined {
  const tables = tableObjects(text)
  if (tables.length > 0) return { objects: tables, others: new Map() }
  const found: Omit<AttachedObject, 'hidden'>[] = []
  for (const part of documentTexts(text)) found.push(...objectsOf(part))
  if (found.length === 0) return undefined
  const others = new Map<string, number>()
  const objects = found.flatMap(({ object, at, isListed }): AttachedObject[] => {
    if (kept.has(object.kind)) return [{ object: complete(object), at, isListed, hidden: [] }]
    others.set(object.kind, (others.get(object.kind) ?? 0) + 1)
    return []
  })
  return { objects, others }
}

/** The parts of a text that may be YAML or JSON: a dump has JSON values and logs one after the other. */
function documentTexts({ path, line, text }: AttachedText): AttachedText[] {
  const start = /^\s*(.)/.exec(text)?.[1]
  if (start !== '{' && start !== '[')
    return /^(?:- )?(?:kind|apiVersion|items):/m.test(text) ? [{ path, line, text }] : []
  const lines = text.split('\n')
  const parts: AttachedText[] = []
  let first: number | undefined
  lines.forEach((one, index) => {
    const isOpen = one.startsWith('{') || one.startsWith('[')
    if (isOpen) first ??= index
    const closes = one.startsWith('}') || one.startsWith(']') || (isOpen && /[}\]]\s*$/.test(one))
    if (!closes || first === undefined) return
    parts.push({ path, line: line + first, text: lines.slice(first, index + 1).join('\n') })
    first = undefined
  })
  return parts
}

function objectsOf({ path, line, text }: AttachedText): Omit<AttachedObject, 'hidden'>[] {
  const { documents, problems } = parseDocuments(path, text, Infinity)
  if (problems.length > 0) return []
  return documents.flatMap((document) =>
    expanded(document.value).map(({ object, path: own }) => ({
      object,
      isListed: own.length > 0 || documents.length > 1,
      at: (field: Path) => ({ file: path, line: line - 1 + document.at([...own, ...field]).line }),
    })),
  )
}

interface Found {
  readonly object: KubeObject
  readonly path: Path
}

/** The objects of a List, of an array, or one. */
function expanded(
  value: unknown,
  path: Path = [],
  like?: { readonly kind: string; readonly apiVersion: string | undefined },
): Found[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => expanded(one, [...path, index], like))
  if (typeof value !== 'object' || value === null) return []
  const { kind = like?.kind, apiVersion = like?.apiVersion, items, metadata } = value as Record<string, never>
  if (Array.isArray(items)) {
    const ofItems = typeof kind === 'string' ? kind.replace(/List$/, '') : ''
    return expanded(items, [...path, 'items'], ofItems === '' ? undefined : { kind: ofItems, apiVersion })
  }
  const name = (metadata as { name?: unknown } | undefined)?.name
  if (typeof kind !== 'string' || kind === '' || typeof name !== 'string') return []
  return [{ object: { ...value, kind, apiVersion: apiVersion ?? 'v1' } as KubeObject, path }]
}

/** Objects of older clusters, and of tools that print part of them, with the fields that others have. */
function complete(object: KubeObject): KubeObject {
  const { kind, metadata } = object
  const fields = object as unknown as Record<string, Record<string, unknown> | undefined>
  const spec = fields['spec'] ?? {}
  const status = fields['status'] ?? {}
  const named = ofCluster.has(kind) ? metadata : { ...metadata, namespace: metadata.namespace ?? 'default' }
  switch (kind) {
    case 'Service': {
      const { clusterIP, clusterIPs } = spec
      const all = clusterIPs ?? (typeof clusterIP === 'string' ? [clusterIP] : undefined)
      return {
        ...object,
        metadata: named,
        spec: { ...spec, ...(all !== undefined && { clusterIPs: all }) },
      } as KubeObject
    }
    case 'NetworkPolicy': {
      const { podSelector = {} } = spec
      return networkPolicy.setDefaults({
        ...object,
        metadata: named,
        spec: { ...spec, podSelector },
      } as KubeObject)
    }
    case 'ClusterNetworkPolicy': {
      const { subject = {} } = spec
      return clusterNetworkPolicy.setDefaults({ ...object, spec: { ...spec, subject } } as KubeObject)
    }
    case 'Pod': {
      const { podIP, podIPs } = status
      const all = podIPs ?? (typeof podIP === 'string' && podIP !== '' ? [{ ip: podIP }] : undefined)
      const containers = Array.isArray(spec['containers']) ? spec['containers'] : []
      return {
        ...object,
        metadata: named,
        spec: { ...spec, containers },
        status: { ...status, ...(all !== undefined && { podIPs: all }) },
      } as KubeObject
    }
    case 'EndpointSlice':
      return { ...object, metadata: named, endpoints: fields['endpoints'] ?? [] } as unknown as KubeObject
    default:
      return { ...object, metadata: named }
  }
}
