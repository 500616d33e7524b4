import { posix } from 'node:path'
import { isRecord, records, text } from './loose.js'
import type { Container, Pod } from './types.js'

/** A ConfigMap, as far as containers see it. */
export interface ConfigMapData {
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data?: Readonly<Record<string, string>>
}

/** A file of a volume. */
export interface VolumeFile {
  /** From the folder of the volume on. */
  readonly path: string
  readonly text: string
  /** Permission bits. */
  readonly mode: number
}

/** A volume of a pod with what is in it when the pod starts. */
export interface PodVolume {
  readonly name: string
  readonly readOnly: boolean
  readonly files: readonly VolumeFile[]
}

/** A volume, or one file or folder of it, at a path of a container. */
export interface VolumeMount {
  readonly volume: string
  readonly subPath: string
  readonly target: string
  readonly readOnly: boolean
}

/** Something that a pod needs and that is not there: kubelet would not start it. */
export interface Missing {
  readonly message: string
}

const defaultMode = 0o644

/** The ConfigMap and emptyDir volumes of a pod, and what of its ConfigMaps is missing. */
export function podVolumes(
  pod: Pod,
  configMaps: readonly ConfigMapData[],
): { volumes: PodVolume[]; missing: Missing[] } {
  const volumes: PodVolume[] = []
  const missing: Missing[] = []
  for (const volume of records(pod.spec['volumes'])) {
    const name = text(volume['name'])
    const source = volume['configMap']
    if (isRecord(source)) {
      const { files, problems } = configMapFiles(source, findConfigMap(pod, text(source['name']), configMaps))
      volumes.push({ name, readOnly: true, files })
      missing.push(...problems)
    } else if (isRecord(volume['emptyDir'])) volumes.push({ name, readOnly: false, files: [] })
  }
  return { volumes, missing }
}

/** Where a container sees those volumes. Paths never lead out: `..` ends at the root, as in every file system. */
export function volumeMounts(container: Container, volumes: readonly PodVolume[]): VolumeMount[] {
  return records(container['volumeMounts']).flatMap((mount) => {
    const volume = volumes.find(({ name }) => name === mount['name'])
    const target = posix.normalize(`/${text(mount['mountPath'])}`)
    if (volume === undefined || target === '/') return []
    return [
      {
        volume: volume.name,
        subPath: inside(text(mount['subPath'])),
        target: target.replace(/\/$/, ''),
        readOnly: volume.readOnly || mount['readOnly'] === true,
      },
    ]
  })
}

/** The ConfigMap of that name in a pod's namespace. */
export function findConfigMap(
  { metadata }: Pod,
  name: string,
  configMaps: readonly ConfigMapData[],
): ConfigMapData | undefined {
  const namespace = metadata.namespace ?? 'default'
  return configMaps.find(
    (one) => one.metadata.name === name && (one.metadata.namespace ?? 'default') === namespace,
  )
}

function configMapFiles(
  source: Record<string, unknown>,
  configMap: ConfigMapData | undefined,
): { files: VolumeFile[]; problems: Missing[] } {
  const optional = source['optional'] === true
  const name = text(source['name'])
  if (configMap === undefined)
    return { files: [], problems: optional ? [] : [{ message: `configmap "${name}" not found` }] }
  const usual = typeof source['defaultMode'] === 'number' ? source['defaultMode'] : defaultMode
  const data = configMap.data ?? {}
  const items = Array.isArray(source['items'])
    ? records(source['items']).map((item) => ({
        key: text(item['key']),
        path: inside(text(item['path'])),
        mode: typeof item['mode'] === 'number' ? item['mode'] : usual,
      }))
    : Object.keys(data).map((key) => ({ key, path: inside(key), mode: usual }))
  const found = items.filter(({ key }) => Object.hasOwn(data, key))
  const lost = optional ? [] : items.filter(({ key }) => !Object.hasOwn(data, key))
  return {
    files: found.map(({ key, path, mode }) => ({ path, mode, text: data[key] ?? '' })),
    problems: lost.map(({ key }) => ({
      message: `configmap "${name}" references non-existent config key: ${key}`,
    })),
  }
}

/** A path as it is below some folder, whatever it says. */
function inside(path: string): string {
  return posix.normalize(`/${path}`).replace(/^\/|\/$/g, '')
}
