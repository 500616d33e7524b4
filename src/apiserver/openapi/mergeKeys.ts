/** How a strategic merge patch treats a list or an object: `x-kubernetes-patch-strategy` and `-merge-key`. */
export interface PatchField {
  readonly strategy: string
  /** Lists of objects are merged by this field; without it, a list of values. */
  readonly key?: string
}

const merged = (key?: string): PatchField => ({ strategy: 'merge', ...(key === undefined ? {} : { key }) })

const containerFields: Readonly<Record<string, PatchField>> = {
  ports: merged('containerPort'),
  env: merged('name'),
  volumeMounts: merged('mountPath'),
  volumeDevices: merged('devicePath'),
}

/** The fields that a strategic merge patch does not replace as a whole, by Go struct; as the Go types of k8s.io/api mark them. */
export const patchFields: Readonly<Record<string, Readonly<Record<string, PatchField>>>> = {
  ObjectMeta: { ownerReferences: merged('uid'), finalizers: merged() },
  ServiceSpec: { ports: merged('port') },
  ServiceStatus: { conditions: merged('type') },
  NodeSpec: { podCIDRs: merged() },
  NodeStatus: { addresses: merged('type'), conditions: merged('type') },
  Container: containerFields,
  EphemeralContainer: containerFields,
  PodSpec: {
    containers: merged('name'),
    initContainers: merged('name'),
    ephemeralContainers: merged('name'),
    volumes: { strategy: 'merge,retainKeys', key: 'name' },
    imagePullSecrets: merged('name'),
    hostAliases: merged('ip'),
    topologySpreadConstraints: merged('topologyKey'),
    schedulingGates: merged('name'),
    resourceClaims: { strategy: 'merge,retainKeys', key: 'name' },
  },
  DeploymentSpec: { strategy: { strategy: 'retainKeys' } },
}
