import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

/** Where the root of a sandbox is put together, before it becomes the root. */
export const madeRoot = '/run/vethlab/root'

/** The folder of control groups. */
const groups = '/sys/fs/cgroup'

type Exists = (path: string) => boolean

/** Devices that every program may use. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'net/tun'].map((name) => `/dev/${name}`)

/** Folders of its own that every program can write to; /run is one too. */
const writable = ['/tmp', '/var/tmp', '/dev/shm']

/**
 * The mounts of a sandbox's root as fstab(5): /proc and /sys of the host without control groups, a few devices, terminals of its
 * own, folders for temporary files, and visible folders. The name of the file systems is unique: mount(8) would skip one that is
 * already mounted there, in a sandbox in a sandbox.
 */
export function mountTable(folders: readonly string[], exists: Exists = existsSync): string {
  const name = `vethlab-${randomUUID()}`
  const line = (what: string, where: string, type: string, options: string) =>
    `${escaped(what)} ${escaped(`${madeRoot}${where}`)} ${type} ${options} 0 0\n`
  const bound = (path: string, how: string) => line(path, path, 'none', how)
  const lines = [
    ...['/proc', '/sys'].map((path) => bound(path, 'rbind')),
    ...(exists(groups) ? [line(name, groups, 'tmpfs', 'ro,mode=555')] : []),
    ...presentDevices(exists).map((path) => bound(path, 'bind')),
    // without newinstance, kernels before 4.7 would show the terminals of the host
    line(name, '/dev/pts', 'devpts', 'newinstance,ptmxmode=0666,mode=0620'),
    ...writable.map((path) => line(name, path, 'tmpfs', 'mode=1777')),
    bound('/run', 'bind'),
    ...folders.map((path) => bound(path, 'rbind,X-mount.mkdir')),
  ]
  return lines.join('')
}

/** The devices of the host that the table mounts, each on a file that must exist. */
export function presentDevices(exists: Exists = existsSync): string[] {
  return devices.filter(exists)
}

/** fstab(5) separates fields with white space; these characters are written as octal numbers. */
function escaped(path: string): string {
  return path.replace(
    /[ \t\n\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}

/** The id of the mount of an open file (proc_pid_fdinfo(5)). */
export function mountOf(fd: number): string {
  const mount = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
  if (mount === undefined) throw new Error('the kernel does not say in which mount a file is')
  return mount
}
