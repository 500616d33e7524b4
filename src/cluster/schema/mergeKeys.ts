const named = ['name']
const containerFields = {
  ports: ['containerPort', 'protocol'],
  env: named,
  volumeMounts: ['mountPath'],
  volumeDevices: ['devicePath'],
}

/** Lists that are merged item by item, by Go struct and field: what identifies an item. Other lists are replaced whole. */
const mergeKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ServiceSpec: { ports: ['port', 'protocol'] },
  Container: containerFields,
  EphemeralContainer: containerFields,
  PodSpec: {
    containers: named,
    initContainers: named,
    ephemeralContainers: named,
    volumes: named,
    imagePullSecrets: named,
    hostAliases: ['ip'],
    topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
    schedulingGates: named,
    resourceClaims: named,
  },
}

/** Structs of which only the written fields are kept: a volume has one source, a strategy the fields of its type. */
const unions: readonly string[] = ['DeploymentStrategy', 'Volume', 'PodResourceClaim']

/** The keys of a merged list; undefined for a list that is replaced whole (patchMergeKey, listMapKey in k8s.io/api). */
export function mergeKeysOf(struct: string, field: string): readonly string[] | undefined {
  return mergeKeys[struct]?.[field]
}

/** Whether a merge keeps only the written fields of a struct (patchStrategy retainKeys). */
export function isUnion(struct: string): boolean {
  return unions.includes(struct)
}
