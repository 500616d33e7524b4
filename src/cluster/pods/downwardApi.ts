import { isRecord, text } from '../manifests/loose.js'
import { inUnits } from '../quantity.js'
import type { Container, Pod } from '../types.js'

/** The value of a downward API field for a pod; undefined for an unsupported field. */
export function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const [, map, key] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? []
  if (map !== undefined && key !== undefined)
    return (map === 'labels' ? metadata.labels : metadata.annotations)?.[key] ?? ''
  const fields: Record<string, string | undefined> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace ?? 'default',
    'metadata.uid': metadata.uid ?? '',
    'metadata.labels': mapText(metadata.labels),
    'metadata.annotations': mapText(metadata.annotations),
    'spec.nodeName': spec.nodeName ?? '',
    'spec.serviceAccountName': text(spec['serviceAccountName']) || 'default',
    'status.hostIP': status?.hostIP ?? '',
    'status.hostIPs': status?.hostIP ?? '',
    'status.podIP': status?.podIP ?? '',
    'status.podIPs': (status?.podIPs ?? []).map(({ ip }) => ip).join(','),
  }
  return fields[path]
}

/**
 * A request or limit of a container in units of `divisor`, rounded up. Undefined for a limit that is not set: kubelet
 * uses the node's capacity, and the nodes here have no size.
 */
export function resourceOf(
  pod: Pod,
  own: Container | undefined,
  reference: Readonly<Record<string, unknown>>,
): string | undefined {
  const [side = '', ...rest] = text(reference['resource']).split('.')
  const named = text(reference['containerName'])
  const container = named === '' ? own : pod.spec.containers.find(({ name }) => name === named)
  const resources = container?.['resources']
  const values = isRecord(resources) ? resources[side] : undefined
  const quantity = isRecord(values) ? text(values[rest.join('.')]) : ''
  if (quantity === '') return side === 'requests' ? '0' : undefined
  return inUnits(quantity, text(reference['divisor']))
}

/** A map in the format of fieldpath.FormatMap: one line per key, sorted by key. */
function mapText(values: Readonly<Record<string, string>> = {}): string {
  return Object.keys(values)
    .sort()
    .map((key) => `${key}=${JSON.stringify(values[key])}`)
    .join('\n')
}
