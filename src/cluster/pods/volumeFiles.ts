import { posix } from 'node:path'
import { fieldOf, resourceOf } from './downwardApi.js'
import { isRecord, records, text } from '../manifests/loose.js'
import { findData, type DataKind, type Missing, type PodData } from './podData.js'
import type { Pod } from '../types.js'

/** A file of a volume. */
export interface VolumeFile {
  /** Relative to the folder of the volume. */
  readonly path: string
  readonly content: Buffer
  /** Permission bits. */
  readonly mode: number
}

/** The files of a volume source, and its missing dependencies. */
export interface SourceFiles {
  readonly files: readonly VolumeFile[]
  readonly missing: readonly Missing[]
}

type Source = Readonly<Record<string, unknown>>
type Path = Missing['path']

const usualMode = 0o644

/** The files of a volume that kubelet fills; undefined for other volumes. */
export function volumeFiles(pod: Pod, volume: Source, path: Path, data: PodData): SourceFiles | undefined {
  const { configMap, secret, downwardAPI, projected } = volume
  if (isRecord(configMap))
    return dataFiles(pod, 'configmap', configMap, modeOf(configMap), [...path, 'configMap'], data)
  if (isRecord(secret)) return dataFiles(pod, 'secret', secret, modeOf(secret), [...path, 'secret'], data)
  if (isRecord(downwardAPI)) return downwardFiles(pod, downwardAPI, modeOf(downwardAPI))
  return isRecord(projected) ? projectedFiles(pod, projected, [...path, 'projected'], data) : undefined
}

/** One volume from several sources; of two files at one path, the later one wins (projected.go). */
function projectedFiles(pod: Pod, projected: Source, path: Path, data: PodData): SourceFiles {
  const mode = modeOf(projected)
  const parts = records(projected['sources']).map(
    ({ configMap, secret, downwardAPI }, index): SourceFiles => {
      const at = [...path, 'sources', index]
      if (isRecord(configMap)) return dataFiles(pod, 'configmap', configMap, mode, [...at, 'configMap'], data)
      if (isRecord(secret)) return dataFiles(pod, 'secret', secret, mode, [...at, 'secret'], data)
      return isRecord(downwardAPI) ? downwardFiles(pod, downwardAPI, mode) : { files: [], missing: [] }
    },
  )
  const files = new Map(parts.flatMap((part) => part.files).map((file) => [file.path, file]))
  return { files: [...files.values()], missing: parts.flatMap(({ missing }) => missing) }
}

function dataFiles(
  pod: Pod,
  kind: DataKind,
  source: Source,
  defaultMode: number,
  path: Path,
  data: PodData,
): SourceFiles {
  const field = source['secretName'] === undefined ? 'name' : 'secretName'
  const name = text(source[field])
  const optional = source['optional'] === true
  const held = findData(pod, kind, name, data)
  if (held === undefined) {
    const message = `${kind} "${name}" not found`
    return { files: [], missing: optional ? [] : [{ message, path: [...path, field] }] }
  }
  const items = Array.isArray(source['items'])
    ? records(source['items']).map((item, index) => ({
        key: text(item['key']),
        path: inside(text(item['path'])),
        mode: typeof item['mode'] === 'number' ? item['mode'] : defaultMode,
        at: [...path, 'items', index, 'key'],
      }))
    : [...held.keys()].map((key) => ({ key, path: inside(key), mode: defaultMode, at: path }))
  return {
    files: items.flatMap(({ key, path: to, mode }) => {
      const content = held.get(key)
      return content === undefined ? [] : [{ path: to, mode, content }]
    }),
    missing: items
      .filter(({ key }) => !optional && !held.has(key))
      .map(({ key, at }) => ({
        message: `${kind} "${name}" references non-existent ${kind === 'secret' ? 'secret' : 'config'} key: ${key}`,
        path: at,
      })),
  }
}

function downwardFiles(pod: Pod, source: Source, defaultMode: number): SourceFiles {
  const files = records(source['items']).map(({ path, mode, fieldRef, resourceFieldRef }) => {
    const value = isRecord(fieldRef)
      ? fieldOf(pod, text(fieldRef['fieldPath']))
      : isRecord(resourceFieldRef)
        ? resourceOf(pod, undefined, resourceFieldRef)
        : undefined
    return {
      path: inside(text(path)),
      mode: typeof mode === 'number' ? mode : defaultMode,
      content: Buffer.from(value ?? ''),
    }
  })
  return { files, missing: [] }
}

function modeOf(source: Source): number {
  return typeof source['defaultMode'] === 'number' ? source['defaultMode'] : usualMode
}

/** A path inside a folder, whatever the input. */
export function inside(path: string): string {
  return posix.normalize(`/${path}`).replace(/^\/|\/$/g, '')
}
