import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
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

const { O_APPEND, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } =
  constants

/** What statfs(2) says of the file system proc. */
const procMagic = 0x9fa0

/**
 * The files of a sandbox, as its maker reads and writes them. A link is never followed: what runs inside can make links,
 * and an absolute one leads to the host's file of that name. Paths are absolute, inside the sandbox. Everything throws
 * what Node's file system throws, with ELOOP or ENOTDIR for a link.
 */
export interface InsideFiles {
  read(path: string): string
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
  /** A descriptor of a namespace's file below /run/netns, or of a process's below /proc; the caller closes it. */
  openNamespace(path: string): number
}

/** The files below `/proc/PID/root`; what is made belongs to `owner`, if that is another than this process's. */
export function insideFiles(root: string, owner: number): InsideFiles {
  const foreign = owner !== process.getuid?.()
  const give = (fd: number) => {
    if (foreign) fchownSync(fd, owner, owner)
  }

  /** Goes down folder by folder; `act` gets a path whose last name alone is not a descriptor. */
  function at<Result>(path: string, make: boolean, act: (path: string) => Result): Result {
    const names = path.split('/').filter((name) => name !== '' && name !== '.')
    const last = names.pop() ?? '.'
    if (names.includes('..') || last === '..') throw new Error(`${path} has ".."`)
    let folder = openSync(root, O_RDONLY | O_DIRECTORY)
    try {
      for (const name of names) {
        const next = openFolder(`/proc/self/fd/${folder}/${name}`, make)
        closeSync(folder)
        folder = next
      }
      return act(`/proc/self/fd/${folder}/${last}`)
    } finally {
      closeSync(folder)
    }
  }

  function openFolder(path: string, make: boolean): number {
    const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    if (!make || existsSync(path)) return openSync(path, flags)
    mkdirSync(path, 0o755)
    const made = openSync(path, flags)
    give(made)
    return made
  }

  function using<Result>(fd: number, act: (fd: number) => Result): Result {
    try {
      return act(fd)
    } finally {
      closeSync(fd)
    }
  }

  function put(path: string, flags: number, text: string, encoding: BufferEncoding = 'utf8'): void {
    using(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flags, 0o644), (fd) => {
      give(fd)
      writeFileSync(fd, text, encoding)
    })
  }

  return {
    read: (path) =>
      at(path, false, (file) =>
        using(openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), (fd) => readFileSync(fd, 'utf8')),
      ),
    list: (path) =>
      at(`${path}/.`, false, (folder) =>
        using(openFolder(folder, false), (fd) => readdirSync(`/proc/self/fd/${fd}`)),
      ),
    write: (path, text, encoding) => at(path, true, (file) => put(file, O_TRUNC, text, encoding)),
    replace: (path, text) =>
      at(path, true, (file) => {
        rmSync(`${file}.new`, { force: true })
        put(`${file}.new`, O_EXCL, text)
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
      at(path, how === 'write', (file) => {
        const flags = how === 'read' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
        const fd = openSync(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o644)
        if (how === 'write') give(fd)
        return fd
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
