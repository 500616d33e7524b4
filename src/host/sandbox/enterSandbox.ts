import { placePidFile } from '../../topology/planPlaceFiles.js'
import { confined } from './confined.js'
import { endsWithParent } from './endsWithParent.js'
import type { InsideFiles } from './insideFiles.js'
import { outerProcess } from './processTree.js'

/** Where in a sandbox a command runs, and as which user. */
export interface Where {
  /** Network namespace; the sandbox's first one by default. */
  readonly netns?: string | undefined
  /** Whose files it sees, by the key of PlaceFiles; the sandbox's where there is nothing of that name. */
  readonly files?: string | undefined
  /** Run with this user's own id instead of root's; see `startSandbox`. Makes a difference only without root. */
  readonly asUser?: boolean | undefined
}

/** The sandbox that a command is to enter. */
export interface Entrance {
  readonly pid: number
  readonly rootless: boolean
  readonly owner: number
  readonly inside: InsideFiles
}

/**
 * Argument array that runs a command in a sandbox. `open` collects descriptors that it refers to: they are to be closed
 * when the command has ended.
 */
export function enterSandbox(
  { pid, rootless, owner, inside }: Entrance,
  argv: readonly string[],
  { netns, files, asUser = false }: Where,
  open: number[] = [],
): string[] {
  // every namespace by its file: util-linux 2.41 enters those of `--target` before a user namespace that is another's
  const own = (kind: string, name: string, of = pid) => `--${kind}=/proc/${of}/ns/${name}`
  // nsenter opens these as this process: by a descriptor, so that it follows no link of the sandbox
  const space = (kind: string, file: string) => {
    try {
      const fd = inside.openNamespace(file)
      open.push(fd)
      return `--${kind}=/proc/${process.pid}/fd/${fd}`
    } catch {
      return `--${kind}=/proc/${pid}/gone${file}`
    }
  }
  const user = own('user', 'user', asUser && rootless ? outerProcess(pid) : pid)
  const keeper = files === undefined ? undefined : keeperOf(inside, files)
  return [
    // nsenter stops itself when its command is stopped
    ...(files === undefined ? [] : endsWithParent),
    'nsenter',
    // without root, other ids than the own cannot be set
    ...(rootless ? [user, '--preserve-credentials'] : owner === 0 ? [] : [user]),
    ...[own('pid', 'pid'), own('ipc', 'ipc'), own('cgroup', 'cgroup')],
    ...(keeper === undefined
      ? [own('mount', 'mnt'), own('uts', 'uts')]
      : [space('mount', `/proc/${keeper}/ns/mnt`), space('uts', `/proc/${keeper}/ns/uts`)]),
    netns === undefined ? own('net', 'net') : space('net', `/run/netns/${netns}`),
    '--',
    // what acts for a place of the lab is not to reach what the lab is made of
    ...(files === undefined ? [] : confined),
    ...argv,
  ]
}

function keeperOf(inside: InsideFiles, key: string): string | undefined {
  try {
    return /^\d+$/.exec(inside.read(placePidFile(key)).trim())?.[0]
  } catch {
    return undefined
  }
}
