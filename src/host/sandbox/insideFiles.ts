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
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** open(2): a handle on a file without opening it; Node has no name for it. */
export const O_PATH = 0o10000000

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** What statfs(2) says of the file system proc. */
const procMagic = 0x9fa0

/**
 * The files of a sandbox, as its maker reads and writes them. A link is never followed: what runs inside can make links,
 * and an absolute one leads to the host's file of that name. Nor is a mount below the first folder of a path, such as /run:
 * another file may be behind it. Paths are absolute, inside the sandbox. Everything throws what Node's file system throws,
 * with ELOOP or ENOTDIR for a link.
 */
export interface InsideFiles {
  read(path: string): string
  /** Whether there is something, which may be a link. */
  exists(path: string): boolean
  /** Names of what is in a folder. */
  list(path: string): string[]
  /** Writes a file, and makes the folders above it. */
  write(path: string, text: string, encoding?: BufferEncoding): void
  /** Puts a file in the place of another: who reads meanwhile finds the one or the other, whole. */
  replace(path: string, text: string): void
  /** Puts a link in the place of another. */
  link(path: string, target: string): void
  /** The path that a link leads to, if that is below its own folder; throws for any other. */
  target(path: string): string
  /** A descriptor to read a file with, or to write one that is empty; the caller closes it. */
  open(path: string, how: 'read' | 'write'): number
  /** A descriptor by which `/proc/self/fd` names a socket; the caller closes it. */
  openSocket(path: string): number
  /** A descriptor of a namespace's file below /run/netns, or of a process's below /proc; the caller closes it. */
  openNamespace(path: string): number
}

/** The files below `/proc/PID/root`; what is made belongs to `owner`, if that is another than this process's. */
export function insideFiles(root: string, owner: number): InsideFiles {
  const foreign = owner !== process.getuid?.()
  const give = (fd: number) => {
    if (foreign) fchownSync(fd, owner, owner)
  }

  /**
   * Goes down folder by folder; `act` gets a path whose last name alone is not a descriptor, and a check for the descriptor
   * of what it opens by that name.
   */
  function at<Result>(path: string, make: boolean, act: (path: string, check: Check) => Result): Result {
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
      // `ip netns` mounts that folder, and names in it; what they lead to is looked at by itself
      if (names.join('/') !== 'run/netns') check(folder)
      return act(`/proc/self/fd/${folder}/${last}`, check)
    } finally {
      closeSync(folder)
    }
  }

  /** Makes the folder where it is missing, if the one that it is to be in passes a check. */
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
        using(openChecked(file, O_RDONLY, check), (fd) => readFileSync(fd, 'utf8')),
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
    open: (path, how) =>
      at(path, how === 'write', (file, check) => {
        if (how === 'read') return openChecked(file, O_RDONLY, check)
        const fd = openChecked(file, O_WRONLY | O_CREAT | O_APPEND, check)
        give(fd)
        ftruncateSync(fd)
        return fd
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
        // the last name below /proc/PID/ns is a link of the kernel's; one of the sandbox's could lead anywhere
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

/** Throws, unless what a descriptor is of is where it seems to be. */
type Check = (fd: number) => void

/** Opens a file, by a link or a pipe never; what does not pass the check is closed again. */
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

/** The id of the mount that a file was opened in (proc_pid_fdinfo(5)). */
function mountOf(fd: number): string {
  const mount = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
  if (mount === undefined) throw new Error('the kernel does not say in which mount a file is')
  return mount
}

/** This process's own namespace of the kind that a path is of: never one that a sandbox is to have. */
function openOwn(path: string): { dev: number; ino: number } {
  const kind = /^\/proc\/\d+\/ns\/(\w+)$/.exec(path)?.[1] ?? 'net'
  const fd = openSync(`/proc/self/ns/${kind}`, O_RDONLY)
  try {
    return fstatSync(fd)
  } finally {
    closeSync(fd)
  }
}
