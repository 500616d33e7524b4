import type { Loose } from './play.js'

interface Meta {
  readonly name: string
  readonly generateName?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly {
    readonly kind: string
    readonly name: string
    readonly controller?: boolean
  }[]
}

type Item = Loose & { readonly kind: string; readonly metadata: Meta }

/** Fields that depend on the time, on chance, or on what this comparison is not about. */
const dropped = [
  ...['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'deletionGracePeriodSeconds'],
  ...['lastUpdateTime', 'lastTransitionTime', 'lastProbeTime', 'startTime', 'completionTime'],
  ...[
    'clusterIP',
    'clusterIPs',
    'nodePort',
    'healthCheckNodePort',
    'nodeName',
    'zone',
    'tolerations',
    'affinity',
  ],
  ...['template', 'jobTemplate', 'kubernetes.io/last-change-trigger-time', 'data', 'addresses', 'ip'],
  'endpoints.kubernetes.io/last-change-trigger-time',
  'batch.kubernetes.io/controller-uid',
  'controller-uid',
]

/**
 * The objects in a form that is equal for equal clusters: generated names by what they are derived from, lists in order.
 * `names` keeps the generated names of earlier steps.
 */
export function normalized(objects: readonly Loose[], names: Map<string, string>): unknown[] {
  const items = (objects as readonly Item[]).filter(({ kind }) => kind !== 'ConfigMap')
  namesOf(items, names)
  const replaced = (text: string) =>
    names.get(text) ?? text.replace(/"([^"]+)"/g, (_whole, name: string) => `"${names.get(name) ?? name}"`)
  const bare = (key: string, value: unknown): unknown => {
    if (dropped.includes(key) || value === null) return undefined
    if ((key === 'annotations' || key === 'labels') && Object.keys(value as object).length === 0)
      return undefined
    if (key === 'deletionTimestamp') return 'set'
    if (key === 'lastScheduleTime' || key === 'lastSuccessfulTime' || key === 'disruptedPods')
      return undefined
    if (key === 'notReadyAddresses') return Array.isArray(value) ? value.length : value
    return value
  }
  return items
    .map((item) => shown(item))
    .map((item) => sorted(JSON.parse(JSON.stringify(item, bare)), replaced))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Pods without what the kubelet and the scheduler write. */
function shown(item: Item): Loose {
  if (item.kind === 'Pod') {
    const { status, spec, ...rest } = item as unknown as Loose & {
      status?: { phase?: string; conditions?: { type: string }[] }
      spec: Loose
    }
    const { hostname, subdomain, containers } = spec
    const images = (containers as { image: string; env?: unknown }[]).map(({ image, env }) => ({
      image,
      env,
    }))
    const disrupted = status?.conditions?.filter(({ type }) => type === 'DisruptionTarget')
    return {
      ...rest,
      spec: { hostname, subdomain, images },
      status: { phase: status?.phase, ...(disrupted?.length ? { disrupted } : {}) },
    }
  }
  if (item.kind === 'Endpoints') {
    const { subsets, ...rest } = item as unknown as Loose & {
      subsets?: { addresses?: unknown[]; notReadyAddresses?: unknown[]; ports?: unknown }[]
    }
    return {
      ...rest,
      subsets: subsets?.map((one) => ({
        ready: one.addresses?.length,
        notReady: one.notReadyAddresses?.length,
        ports: one.ports,
      })),
    }
  }
  if (item.kind === 'ReplicaSet' || item.kind === 'EndpointSlice') {
    // How often they change in a step depends on the time that pods need.
    const { metadata, status, ...rest } = item as Item & { status?: { observedGeneration?: number } }
    return {
      ...rest,
      metadata: { ...metadata, generation: undefined },
      status: { ...status, observedGeneration: undefined },
    }
  }
  return item
}

/** Names and hashes that a controller has generated, by their meaning. */
function namesOf(items: readonly Item[], names: Map<string, string>): void {
  const order = (item: Item) =>
    Number(item['revision'] ?? item.metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0)
  for (const item of items.filter(({ kind }) => kind === 'ReplicaSet' || kind === 'ControllerRevision')) {
    const hash =
      item.metadata.labels?.['pod-template-hash'] ??
      item.metadata.labels?.['controller.kubernetes.io/hash'] ??
      item.metadata.labels?.['controller-revision-hash']
    if (hash === undefined || !item.metadata.name.endsWith(`-${hash}`)) continue
    const base = item.metadata.name.slice(0, -hash.length)
    names.set(hash, `HASH${order(item)}`)
    names.set(item.metadata.name, `${base}HASH${order(item)}`)
    names.set(`${item.metadata.name}-`, `${base}HASH${order(item)}-`)
  }
  for (const { kind, metadata } of items) {
    const hash = metadata.labels?.['pod-template-hash']
    if (hash !== undefined && !names.has(hash)) names.set(hash, 'HASH')
    const base = kind === 'Pod' || kind === 'EndpointSlice' ? metadata.generateName : undefined
    if (base !== undefined && !/^\d+$/.test(metadata.name.slice(base.length)))
      names.set(metadata.name, `${names.get(base) ?? base}*`)
  }
}

function sorted(value: unknown, replaced: (text: string) => string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((one) => sorted(one, replaced))
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (typeof value === 'string') return replaced(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(
    entries
      .map(([key, one]) => [key, sorted(one, replaced)])
      .filter(
        ([key, one]) => key !== 'annotations' || (one !== undefined && Object.keys(one as object).length > 0),
      ),
  )
}
