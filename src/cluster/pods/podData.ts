import type { Cluster, ObjectMeta, Pod } from '../types.js'

/** What containers are given of a cluster: its ConfigMaps and Secrets. */
export type PodData = Pick<Cluster, 'configMaps' | 'secrets'>

/** The kinds that hold such data, as kubelet names them in its messages. */
export type DataKind = 'configmap' | 'secret'

/** Something that a pod needs and that is not there: kubelet would not start it. */
export interface Missing {
  readonly message: string
  /** The field of the pod's spec that asks for it. */
  readonly path: readonly (string | number)[]
}

/** What a ConfigMap or a Secret of a pod's namespace holds, by key; undefined when there is none. */
export function findData(
  { metadata }: Pod,
  kind: DataKind,
  name: string,
  { configMaps = [], secrets = [] }: PodData,
): ReadonlyMap<string, Buffer> | undefined {
  const isMeant = (one: { readonly metadata: ObjectMeta }) =>
    one.metadata.name === name && (one.metadata.namespace ?? 'default') === (metadata.namespace ?? 'default')
  if (kind === 'secret') {
    const secret = secrets.find(isMeant)
    return secret && new Map(fromBase64(secret.data))
  }
  const configMap = configMaps.find(isMeant)
  if (configMap === undefined) return undefined
  const texts = Object.entries(configMap.data ?? {}).map(([key, value]) => [key, Buffer.from(value)] as const)
  return new Map([...texts, ...fromBase64(configMap.binaryData)])
}

function fromBase64(data: Readonly<Record<string, string>> = {}): (readonly [string, Buffer])[] {
  return Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')])
}
