import { goneInit, labFilesFolder, placeInit, placesFolder } from './placeInit.js'
import type { SandboxFile, Stage } from './types.js'

/** A file or folder mounted at a path of a container; `source` is a path inside the sandbox. */
export interface FileMount {
  readonly source: string
  readonly target: string
  readonly readOnly: boolean
}

/** A mode that a file inside the sandbox gets. */
export interface FileMode {
  readonly path: string
  /** Of permission bits. */
  readonly mode: number
}

/** The own files of a place, or of a container in it. */
export interface PlaceFiles {
  /** Unique in the lab: the name of the network namespace, or more for one of several that share it. */
  readonly key: string
  readonly hostname: string
  /** Texts of files in /etc, by name. */
  readonly etc: Readonly<Record<string, string>>
  /** Its own root, with mounts; without it, only /etc is its own. */
  readonly root?: { readonly mounts: readonly FileMount[]; readonly modes: readonly FileMode[] } | undefined
}

/** Creates the own files of places. The contents of volumes must already exist. */
export function planPlaceFiles(places: readonly PlaceFiles[]): Stage {
  const folder = (key: string) => `${placesFolder}/${key}`
  return {
    name: 'files of pods: /etc/resolv.conf, /etc/hosts, volumes',
    files: places.flatMap((place) => filesOf(place, folder(place.key))),
    commands: places.map(({ key, hostname, root }) => ({
      argv: [
        ...['unshare', '--mount', '--uts', '--propagation', 'private'],
        ...['sh', '-c', placeInit, 'files-of-a-place', folder(key), hostname],
        root === undefined ? 'etc' : 'root',
      ],
    })),
  }
}

/** Removes the files of places, also those under their keys followed by `+` and more. */
export function planGonePlaceFiles(keys: readonly string[]): Stage {
  return {
    name: 'files of removed pods',
    files: [],
    commands: [{ argv: ['sh', '-c', goneInit, 'files-of-a-place', `${placesFolder}/{}`], each: keys }],
  }
}

/** The process, by its pid in the sandbox, that holds the files that commands of a place see. */
export interface FilesKeeper {
  readonly pid: string
  /** Whether the files, and the host name, are the place's own; otherwise they are those of the lab. */
  readonly own: boolean
}

/** The keeper of a place's files, by a function that reads a file of the sandbox; undefined if there is none. */
export function keeperOf(read: (path: string) => string, key: string): FilesKeeper | undefined {
  const own = pidIn(read, `${placesFolder}/${key}`)
  if (own !== undefined) return { pid: own, own: true }
  const pid = pidIn(read, labFilesFolder)
  // without the lab's files, a command sees those of the sandbox
  return pid === undefined || !isKeeper(read, pid) ? undefined : { pid, own: false }
}

/** Whether the process that holds a place's own files runs. */
export function isHeld(read: (path: string) => string, key: string): boolean {
  const pid = pidIn(read, `${placesFolder}/${key}`)
  return pid !== undefined && isKeeper(read, pid)
}

function pidIn(read: (path: string) => string, folder: string): string | undefined {
  try {
    return /^\d+$/.exec(read(`${folder}/pid`).trim())?.[0]
  } catch {
    return undefined
  }
}

/** A lab can end the process, and the kernel reuses its pid. */
function isKeeper(read: (path: string) => string, pid: string): boolean {
  try {
    return read(`/proc/${pid}/comm`) === 'sleep\n'
  } catch {
    return false
  }
}

/** Exists if all files of a place are its own, not only those in /etc. */
export function placeVolumesFile(key: string): string {
  return `${placesFolder}/${key}/volumes`
}

function filesOf({ key, etc, root }: PlaceFiles, folder: string): SandboxFile[] {
  const lines = [
    ...(root?.modes ?? []).map(({ mode, path }) => ['mode', mode.toString(8).padStart(4, '0'), path]),
    ...(root?.mounts ?? []).map(({ readOnly, source, target }) => [
      readOnly ? 'read-only' : 'mount',
      source,
      target,
    ]),
  ]
  return [
    ...Object.entries(etc).map(([name, text]) => ({ path: `${folder}/etc/${name}`, text })),
    ...(root === undefined
      ? []
      : [{ path: placeVolumesFile(key), text: lines.map((words) => `${words.join('\t')}\n`).join('') }]),
  ]
}
