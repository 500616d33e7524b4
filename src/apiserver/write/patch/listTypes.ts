/** How the items of a list are identified when it is merged; a list without keys is a set of values. */
export interface ListType {
  /** The merge key of a strategic merge patch. */
  readonly mergeKey?: string
  /** The keys of the items in server-side apply; absent: the list is replaced whole. */
  readonly keys?: readonly string[]
}

const named: ListType = { mergeKey: 'name', keys: ['name'] }
const containerPorts: ListType = { mergeKey: 'containerPort', keys: ['containerPort', 'protocol'] }

/** By the name of the field, with its parent where the name alone is ambiguous; other lists are replaced whole. */
const lists: Readonly<Record<string, ListType>> = {
  'metadata.finalizers': {},
  'metadata.ownerReferences': { mergeKey: 'uid', keys: ['uid'] },
  'spec.ports': { mergeKey: 'port', keys: ['port', 'protocol'] },
  'containers.ports': containerPorts,
  'initContainers.ports': containerPorts,
  'spec.podCIDRs': {},
  'spec.taints': { mergeKey: 'key' },
  'spec.listeners': { mergeKey: 'name', keys: ['name'] },
  containers: named,
  initContainers: named,
  ephemeralContainers: named,
  env: named,
  imagePullSecrets: named,
  resourceClaims: named,
  schedulingGates: named,
  volumes: named,
  volumeMounts: { mergeKey: 'mountPath', keys: ['mountPath'] },
  volumeDevices: { mergeKey: 'devicePath', keys: ['devicePath'] },
  hostAliases: { mergeKey: 'ip', keys: ['ip'] },
  topologySpreadConstraints: {
    mergeKey: 'topologyKey',
    keys: ['topologyKey', 'whenUnsatisfiable'],
  },
  'status.conditions': { mergeKey: 'type', keys: ['type'] },
  'status.addresses': { mergeKey: 'type', keys: ['type'] },
}

/** The type of the list at a path of field names; undefined for a list that is replaced whole. */
export function listTypeAt(path: readonly string[]): ListType | undefined {
  const name = path.at(-1) ?? ''
  const qualified = `${path.at(-2) ?? ''}.${name}`
  if (Object.hasOwn(lists, qualified)) return lists[qualified]
  return Object.hasOwn(lists, name) ? lists[name] : undefined
}

const atomicMaps = new Set(['selector', 'nodeSelector', 'fieldRef', 'configMapKeyRef', 'secretKeyRef'])

/** Whether server-side apply replaces the map at a path whole. */
export function isAtomicMap(path: readonly string[]): boolean {
  return atomicMaps.has(path.at(-1) ?? '')
}

/** The default of a key that an item may leave out. */
export const keyDefaults: Readonly<Record<string, string>> = { protocol: 'TCP' }
