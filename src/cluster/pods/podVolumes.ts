import { posix } from 'node:path'
import { isRecord, records, text } from '../manifests/loose.js'
import type { Missing, PodData } from './podData.js'
import { expand } from './podEnv.js'
import type { Container, Pod } from '../types.js'
import { inside, volumeFiles, type VolumeFile } from './volumeFiles.js'

/** A volume of a pod with its initial files. */
export interface PodVolume {
  readonly name: string
  readonly readOnly: boolean
  readonly files: readonly VolumeFile[]
  /** The name of a folder that is kept when the pod ends; without it, the volume belongs to the pod. */
  readonly shared?: string
}

/** A volume, or one file or folder of it, at a path of a container. */
export interface VolumeMount {
  readonly volume: string
  readonly subPath: string
  readonly target: string
  readonly readOnly: boolean
}

/**
 * The volumes of a pod, and its missing ConfigMaps and Secrets. A persistentVolumeClaim is a folder of the lab, a
 * hostPath one of the node; other volumes that kubelet does not fill are empty at the start.
 */
export function podVolumes(pod: Pod, data: PodData): { volumes: PodVolume[]; missing: Missing[] } {
  const missing: Missing[] = []
  const volumes = records(pod.spec['volumes']).map((volume, index): PodVolume => {
    const name = text(volume['name'])
    const filled = volumeFiles(pod, volume, ['volumes', index], data)
    if (filled !== undefined) {
      missing.push(...filled.missing)
      return { name, readOnly: true, files: filled.files }
    }
    const { hostPath, persistentVolumeClaim: claim } = volume
    if (isRecord(hostPath)) {
      const shared = `host_${pod.spec.nodeName ?? ''}${fileName(posix.normalize(text(hostPath['path'])))}`
      return { name, readOnly: false, files: [], shared }
    }
    if (!isRecord(claim)) return { name, readOnly: false, files: [] }
    const shared = `claim_${pod.metadata.namespace ?? 'default'}_${fileName(text(claim['claimName']))}`
    return { name, readOnly: claim['readOnly'] === true, files: [], shared }
  })
  return { volumes, missing }
}

/** The mounts of a container. Paths never leave the volume: `..` ends at the root, as in every file system. */
export function volumeMounts(
  container: Container,
  volumes: readonly PodVolume[],
  env: Readonly<Record<string, string>>,
): VolumeMount[] {
  return records(container['volumeMounts']).flatMap((mount) => {
    const volume = volumes.find(({ name }) => name === mount['name'])
    const target = posix.normalize(`/${text(mount['mountPath'])}`)
    if (volume === undefined || target === '/') return []
    return [
      {
        volume: volume.name,
        subPath: inside(text(mount['subPath']) || expand(text(mount['subPathExpr']), env)),
        target: target.replace(/\/$/, ''),
        readOnly: volume.readOnly || mount['readOnly'] === true,
      },
    ]
  })
}

/** A unique folder name for each path. */
function fileName(path: string): string {
  return encodeURIComponent(path).replaceAll('.', '%2E')
}
