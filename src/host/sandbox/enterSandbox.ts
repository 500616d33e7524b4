import { confinedIn } from '../../topology/confined.js'
import { keeperOf } from '../../topology/planPlaceFiles.js'
import { toolPath } from '../environment.js'
import { endsWithParent, toolAt } from './endsWithParent.js'
import { hostTool } from './hostTool.js'
import type { InsideFiles } from './insideFiles.js'
import type { LabGroup } from '../groups/labGroup.js'
import { ownKeyring } from './ownKeyring.js'
import { outerProcess } from './processTree.js'

/** Where in a sandbox a command runs, and as which user. */
export interface Where {
  /** Network namespace; the sandbox's first one by default. */
  readonly netns?: string | undefined
  /**
   * Key in PlaceFiles: whose files the command sees; those of the lab if there is no such key.
   * Without it, it has the sandbox's own files and all of its rights.
   */
  readonly files?: string | undefined
  /** What `hostname` prints, unless there are such files, which have their own; the name of the sandbox by default. */
  readonly hostname?: string | undefined
  /** Run with this user's id instead of root's; see `startSandbox`. Matters only without root. */
  readonly asUser?: boolean | undefined
  /**
   * Run a tool of the host that may send netlink messages of any size, in this `netns`; see `hostTool`. Only for input that
   * vethlab wrote. Has no effect unless the sandbox has `largeMessages`.
   */
  readonly largeMessages?: boolean | undefined
}

/** The sandbox that a command enters. */
export interface Entrance {
  readonly pid: number
  readonly rootless: boolean
  readonly owner: number
  readonly largeMessages: boolean
  readonly inside: InsideFiles
  readonly group?: LabGroup | undefined
}

/**
 * Argument array that runs a command in a sandbox. `open` collects the descriptors that it uses; close them when the command
 * has ended.
 */
export function enterSandbox(
  { pid, rootless, owner, largeMessages, inside, group }: Entrance,
  argv: readonly string[],
  { netns, files, hostname, asUser = false, largeMessages: wanted = false }: Where,
  open: number[] = [],
): string[] {
  // each namespace by its file: util-linux 2.41 enters those of `--target` before the user namespace of another process
  const own = (kind: string, name: string, of = pid) => `--${kind}=/proc/${of}/ns/${name}`
  // nsenter opens these as this process: by descriptor, so that it follows no links of the sandbox
  const space = (kind: string, file: string) => {
    try {
      const fd = inside.openNamespace(file)
      open.push(fd)
      return `--${kind}=/proc/${process.pid}/fd/${fd}`
    } catch {
      return `--${kind}=/proc/${pid}/gone${file}`
    }
  }
  const network = netns === undefined ? own('net', 'net') : space('net', `/run/netns/${netns}`)
  if (wanted && largeMessages && owner !== 0) return hostTool({ pid, owner }, network, argv)
  const user = own('user', 'user', asUser && rootless ? outerProcess(pid) : pid)
  const keeper = files === undefined ? undefined : keeperOf((path) => inside.read(path), files)
  return [
    ...ownKeyring(),
    ...(group?.enter ?? []),
    // nsenter stops itself when its command is stopped
    ...(files === undefined ? [] : endsWithParent.map(toolAt)),
    toolPath('nsenter'),
    // without root, only the user's own id can be set
    ...(rootless ? [user, '--preserve-credentials'] : owner === 0 ? [] : [user]),
    ...[own('pid', 'pid'), own('ipc', 'ipc'), own('cgroup', 'cgroup')],
    ...(keeper === undefined
      ? [own('mount', 'mnt'), own('uts', 'uts')]
      : [
          ...[space('mount', `/proc/${keeper.pid}/ns/mnt`), space('uts', `/proc/${keeper.pid}/ns/uts`)],
          // what runs before the limit is the sandbox's, not the place's
          ...['root', 'wd'].map((what) => `--${what}=/proc/${pid}/root`),
        ]),
    network,
    '--',
    ...(keeper?.own !== true && hostname !== undefined ? named(hostname) : []),
    // commands of a place must not access the processes that run the lab
    ...(files === undefined ? [] : confinedIn(keeper?.pid, toolPath)),
    ...argv,
  ]
}

/** A prefix that gives a command its own host name; the host may lack `hostname`. */
export function named(hostname: string): string[] {
  const script = '"$0" "$1" 2>&-; shift; exec "$@"'
  return [
    ...[toolPath('unshare'), '--uts', '--'],
    ...[toolPath('sh'), '-c', script, toolPath('hostname'), hostname],
  ]
}
