import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { SandboxError } from '../../errors.js'
import { readWhole } from '../readText.js'
import { mountOf } from './mountTable.js'
import { makePipe } from '../kubelet/makePipe.js'

/** open(2): a handle on a file without opening it; Node has no name for it. */
export const O_PATH = 0o10000000

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** The type of the file system proc in statfs(2). */
const procMagic = 0x9fa0

/**
 * Reads and writes regular files of a sandbox from outside. It never follows links: processes inside can create links, and an absolute
 * one would point to a file of the host. It does not cross mounts below the first folder of a path, such as /run, either: they
 * may hide another file. Paths are absolute, inside the sandbox. Functions throw the errors of Node's file system, with ELOOP or
 * ENOTDIR for a link.
 */
export interface InsideFiles {
  read(path: string): string
  /** Whether the path exists, as a link too. */
  exists(path: string): boolean
  /** Names of a folder's entries. */
  list(path: string): string[]
  /** Writes a file, and makes the folders above it. */
  write(path: string, text: string, encoding?: BufferEncoding): void
  /** Replaces a file atomically: readers get the old or the new content. */
  replace(path: string, text: string): void
  /** Replaces a link. */
  link(path: string, target: string): void
  /** The target of a link; throws if it is not below the link's folder. */
  target(path: string): string
  /** Gives a file another name in its folder, and replaces the file that has it. */
  rename(path: string, name: string): void
  /** A descriptor for reading a file, or for writing an empty one; the caller closes it. */
  open(path: string, how: 'read' | 'write'): number
  /**
   * Both ends of a new pipe whose name is removed again; the caller closes them. Processes inside can open it again by
   * `/proc/self/fd`, such as those that write to /dev/stdout. Reading does not block.
   */
  openPipe(path: string): { readonly read: number; readonly write: number }
  /** A descriptor by which `/proc/self/fd` names a socket; the caller closes it. */
  openSocket(path: string): number
  /** A descriptor of a namespace's file below /run/netns, or of a process's below /proc; the caller closes it. */
  openNamespace(path: string): number
}

/** The files below `/proc/PID/root`; new files belong to `owner`, if it is not the id of this process. */
export function insideFiles(root: string, owner: number): InsideFiles {
  const foreign = owner !== process.getuid?.()
  const give = (fd: number) => {
    if (foreign) fchownSync(fd, owner, owner)
  }

  /** Throws SandboxError once the process of the root has ended, whatever fails then. */
  function at<Result>(path: string, make: boolean, act: (path: string, check: Check) => Result): Result {
    try {
      return reach(path, make, act)
    } catch (error) {
      throw existsSync(root) ? error : new SandboxError('the sandbox has ended', error)
    }
  }

  /**
   * Opens folder after folder; `act` gets a path that consists of a descriptor and the last name, and a check for the descriptor
   * that it opens by that name.
   */
  function reach<Result>(path: string, make: boolean, act: (path: string, check: Check) => Result): Result {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const last = names.pop() ?? '.'
    if (names.includes('..') || last === '..') throw new Error(`${path} has ".."`)
    let mount: string | undefined
    const check: Check = (fd) => {
      if (mount !== undefined && mountOf(fd) !== mount) throw new Error(`something is mounted on ${path}`)
    }
    let folder = openSync(root, O_RDONLY | O_DIRECTORY)
    try {
      for (const name of names) {
        const next = openFolder(folder, name, make ? check : undefined)
        closeSync(folder)
        folder = next
        mount ??= mountOf(folder)
      }
      // `ip netns` mounts that folder, and files in it; their targets are checked separately
      if (names.join('/') !== 'run/netns') check(folder)
      return act(`/proc/self/fd/${folder}/${last}`, check)
    } finally {
      closeSync(folder)
    }
  }

  /** Creates a missing folder, if its parent passes a check. */
  function openFolder(parent: number, name: string, check?: Check): number {
    const path = `/proc/self/fd/${parent}/${name}`
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    if (check === undefined || existsSync(path)) return openSync(path, flags)
    check(parent)
    mkdirSync(path, 0o755)
    const made = openSync(path, flags)
    give(made)
    return made
  }

  function put(
    path: string,
    flags: number,
    check: Check,
    text: string,
    encoding: BufferEncoding = 'utf8',
  ): void {
    using(openChecked(path, O_WRONLY | O_CREAT | flags, check), (fd) => {
      give(fd)
      ftruncateSync(fd)
      writeFileSync(fd, text, encoding)
    })
  }

  return {
    read: (path) =>
      at(path, false, (file, check) =>
        using(openChecked(file, O_RDONLY, check), (fd) => readWhole(fd, path)),
      ),
    exists(path) {
      try {
        return at(path, false, (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined)
      } catch {
        return false
      }
    },
    list: (path) =>
      at(path, false, (folder, check) =>
        using(openChecked(folder, O_RDONLY | O_DIRECTORY, check), (fd) => readdirSync(`/proc/self/fd/${fd}`)),
      ),
    write: (path, text, encoding) => at(path, true, (file, check) => put(file, 0, check, text, encoding)),
    replace: (path, text) =>
      at(path, true, (file, check) => {
        rmSync(`${file}.new`, { force: true })
        put(`${file}.new`, O_EXCL, check, text)
        renameSync(`${file}.new`, file)
      }),
    link: (path, target) =>
      at(path, true, (file) => {
        rmSync(`${file}.new`, { force: true })
        symlinkSync(target, `${file}.new`)
        renameSync(`${file}.new`, file)
      }),
    target: (path) =>
      at(path, false, (file) => {
        const target = readlinkSync(file)
        if (target.startsWith('/') || target.split('/').includes('..'))
          throw new Error(`${path} leads elsewhere`)
        return `${dirname(path)}/${target}`
      }),
    rename: (path, name) => at(path, false, (file) => renameSync(file, `${dirname(file)}/${basename(name)}`)),
    open: (path, how) =>
      at(path, how === 'write', (file, check) => {
        if (how === 'read') return openChecked(file, O_RDONLY, check)
        const fd = openChecked(file, O_WRONLY | O_CREAT | O_APPEND, check)
        give(fd)
        ftruncateSync(fd)
        return fd
      }),
    openPipe: (path) =>
      at(path, true, (file, check) => {
        makePipe(file)
        const read = openChecked(file, O_RDONLY, check)
        give(read)
        rmSync(file, { force: true })
        // a process would not expect that its output does not block
        return { read, write: openSync(`/proc/self/fd/${read}`, O_WRONLY) }
      }),
    openSocket: (path) =>
      at(path, false, (file, check) => {
        const fd = openChecked(file, O_PATH, check)
        if (fstatSync(fd).isSocket()) return fd
        closeSync(fd)
        throw new Error(`${path} is no socket`)
      }),
    openNamespace: (path) =>
      at(path, false, (file) => {
        // the last name below /proc/PID/ns is a link of the kernel; a link of the sandbox could point anywhere
        const isProc = /^\/proc\/\d+\/ns\/\w+$/.test(path)
        if (isProc && statfsSync(dirname(file)).type !== procMagic) throw new Error(`${path} is not in /proc`)
        const fd = openSync(file, O_RDONLY | O_NONBLOCK | (isProc ? 0 : O_NOFOLLOW))
        const [found, own] = [fstatSync(fd), openOwn(path)]
        if (found.dev === own.dev && found.ino !== own.ino) return fd
        closeSync(fd)
        throw new Error(`${path} is no namespace of the sandbox`)
      }),
  }
}

/** Throws if the file of a descriptor is not at the expected path. */
type Check = (fd: number) => void

/** Opens a file that is neither a link nor a pipe; closes it if it does not pass the check. */
function openChecked(path: string, flags: number, check: Check): number {
  const fd = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o644)
  try {
    check(fd)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function using<Result>(fd: number, act: (fd: number) => Result): Result {
  try {
    return act(fd)
  } finally {
    closeSync(fd)
  }
}

/** This process's namespace of the same kind as that of a path; a sandbox never uses it. */
function openOwn(path: string): { dev: number; ino: number } {
  const kind = /^\/proc\/\d+\/ns\/(\w+)$/.exec(path)?.[1] ?? 'net'
  const fd = openSync(`/proc/self/ns/${kind}`, O_RDONLY)
  try {
    return fstatSync(fd)
  } finally {
    closeSync(fd)
  }
}
