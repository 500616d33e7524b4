/** How a field is merged that a patch or an apply does not replace whole. */
export interface MergedField {
  /** `x-kubernetes-patch-strategy`; absent for custom resources, which have no strategic merge patch. */
  readonly strategy?: 'merge' | 'retainKeys' | 'merge,retainKeys'
  /** What identifies an item in a strategic merge patch (`x-kubernetes-patch-merge-key`); absent for a set of values. */
  readonly mergeKey?: string
  /** What identifies an item in an apply (`x-kubernetes-list-map-keys`). */
  readonly keys?: readonly string[]
}

const by = (mergeKey: string, ...others: readonly string[]): MergedField => ({
  strategy: 'merge',
  mergeKey,
  keys: [mergeKey, ...others],
})

const named = by('name')
/** Only the written fields of an item are kept: a volume has one source. */
const namedUnion: MergedField = { ...named, strategy: 'merge,retainKeys' }
const values: MergedField = { strategy: 'merge' }

const containerFields = {
  ports: by('containerPort', 'protocol'),
  env: named,
  volumeMounts: by('mountPath'),
  volumeDevices: by('devicePath'),
}

/** By Go struct and field, as the types of k8s.io/api mark them (patchStrategy, patchMergeKey, listMapKey). */
export const mergedFields: Readonly<Record<string, Readonly<Record<string, MergedField>>>> = {
  ObjectMeta: { ownerReferences: by('uid'), finalizers: values },
  ServiceSpec: { ports: by('port', 'protocol') },
  ServiceStatus: { conditions: by('type') },
  NodeSpec: { podCIDRs: values },
  NodeStatus: { addresses: by('type'), conditions: by('type') },
  Container: containerFields,
  EphemeralContainer: containerFields,
  PodSpec: {
    containers: named,
    initContainers: named,
    ephemeralContainers: named,
    volumes: namedUnion,
    imagePullSecrets: named,
    hostAliases: by('ip'),
    topologySpreadConstraints: by('topologyKey', 'whenUnsatisfiable'),
    schedulingGates: named,
    resourceClaims: namedUnion,
  },
  DeploymentSpec: { strategy: { strategy: 'retainKeys' } },
  GatewaySpec: { listeners: { keys: ['name'] } },
}

/** The structs that a field of this name may hold, for values without a schema. */
const structsOf: Readonly<Record<string, readonly string[]>> = {
  metadata: ['ObjectMeta'],
  spec: ['ServiceSpec', 'PodSpec', 'NodeSpec', 'GatewaySpec'],
  status: ['ServiceStatus', 'NodeStatus'],
  containers: ['Container'],
  initContainers: ['Container'],
  ephemeralContainers: ['EphemeralContainer'],
}

/** How the field at a path of field names is merged; undefined for one that is replaced whole. */
export function mergedFieldAt(path: readonly string[]): MergedField | undefined {
  const [parent = '', field = ''] = path.slice(-2)
  const structs = Object.hasOwn(structsOf, parent) ? (structsOf[parent] ?? []) : []
  return structs.map((struct) => mergedFieldOf(struct, field)).find((found) => found !== undefined)
}

/** How a field of a Go struct is merged; undefined for one that is replaced whole. */
export function mergedFieldOf(struct: string, field: string): MergedField | undefined {
  const fields = mergedFields[struct]
  return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined
}

/** Whether a merge keeps only the written fields of a struct or of the items of a list. */
export function retainsKeys(field: MergedField | undefined): boolean {
  return field?.strategy?.includes('retainKeys') === true
}

/** The value of a key that an item may leave out. */
export const keyDefaults: Readonly<Record<string, string>> = { protocol: 'TCP' }
