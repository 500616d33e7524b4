import type { Cluster, ObjectMeta, Pod } from '../types.js'

/** The objects of a cluster that hold data for containers. */
export type PodData = Pick<Cluster, 'configMaps' | 'secrets'>

/** The kinds of such data, as kubelet names them in its messages. */
export type DataKind = 'configmap' | 'secret'

/** A missing dependency of a pod: kubelet would not start it. */
export interface Missing {
  readonly message: string
  /** The field of the pod's spec that refers to it. */
  readonly path: readonly (string | number)[]
}

/** The data of a ConfigMap or Secret in the pod's namespace, by key; undefined when it does not exist. */
export function findData(
  { metadata }: Pod,
  kind: DataKind,
  name: string,
  { configMaps = [], secrets = [] }: PodData,
): ReadonlyMap<string, Buffer> | undefined {
  const matchesRef = (one: { readonly metadata: ObjectMeta }) =>
    one.metadata.name === name && (one.metadata.namespace ?? 'default') === (metadata.namespace ?? 'default')
  if (kind === 'secret') {
    const secret = secrets.find(matchesRef)
    return secret && new Map(fromBase64(secret.data))
  }
  const configMap = configMaps.find(matchesRef)
  if (configMap === undefined) return undefined
  const texts = Object.entries(configMap.data ?? {}).map(([key, value]) => [key, Buffer.from(value)] as const)
  return new Map([...texts, ...fromBase64(configMap.binaryData)])
}

function fromBase64(data: Readonly<Record<string, string>> = {}): (readonly [string, Buffer])[] {
  return Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')])
}
