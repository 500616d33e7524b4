import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRunError } from '../errors.js'
import { firstLine, type LineLimits } from './lines.js'
import { O_PATH } from './sandbox/insideFiles.js'

const socketName = 'vethlab-control'

/** The type of the file system FUSE in statfs(2). */
const fuseMagic = 0x65735546

/** A new name for the folder in which a process binds its socket. */
export function newSocketFolder(): string {
  return `vethlab-${randomBytes(8).toString('hex')}`
}

/** Removes the folder of a process that was killed between binding its socket and removing the folder. */
export function removeSocketFolder(folder: string): void {
  for (const parent of parents()) rmSync(join(parent, folder), { recursive: true, force: true })
}

function parents(): string[] {
  return [tmpdir(), '/dev/shm']
}

/** The answer on one connection; `read` returns its line, `open` is the number of open connections. */
type AnswerLine = (read: (limits: LineLimits) => Promise<string>, open: number) => Promise<string>

/**
 * Answers each connection with one line. This server does not keep the process running. The folder is one of
 * `newSocketFolder`, and is gone when this returns.
 */
export function serveLines(folder: string, answer: AnswerLine): void {
  let open = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open++
    socket.on('close', () => open--)
    // the client may have disconnected
    socket.on('error', () => socket.destroy())
    const answered = answer((limits) => firstLine(socket, limits), open)
    void answered.then((line) => socket.end(`${line}\n`, () => socket.destroySoon()))
  })
  listenWithoutName(server, folder)
  server.unref()
}

/** Sends one line to a socket of `controlSocketOf` and returns the answer. Throws what `firstLine` throws. */
export async function exchangeLine(path: string, line: string, limits: LineLimits): Promise<string> {
  const socket = connect(path)
  try {
    const answered = firstLine(socket, limits)
    socket.write(`${line}\n`)
    return await answered
  } finally {
    socket.destroy()
  }
}

/**
 * Has a server listen on a socket that no folder names: it is bound, and its name is removed before anything else runs.
 * It is reached by this process's entry in /proc alone, which the kernel keeps for the same user, and is gone with this
 * process. Throws CannotRunError where no folder takes a socket.
 */
function listenWithoutName(server: Server, folder: string): void {
  const faults: string[] = []
  for (const parent of parents()) {
    try {
      return listenIn(server, join(parent, folder))
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  throw new CannotRunError(`cannot make a socket: ${faults.join('; ')}`, 'TMPDIR=<a folder you can write to>')
}

/**
 * Where processes of the same user reach what a process listens on; undefined while it does not listen. The owner of the socket's
 * file is this user, which proves that this user's process bound it: another user can have a set-uid program hold a descriptor, but
 * can make no file of this user.
 */
export function controlSocketOf(pid: number): string | undefined {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder)
      .map((fd) => `${folder}/${fd}`)
      .find((path) => targetOf(path).endsWith(`/${socketName} (deleted)`) && isOwnSocket(path))
  } catch {
    return undefined
  }
}

function isOwnSocket(path: string): boolean {
  const stats = statSync(path)
  return stats.isSocket() && stats.uid === process.getuid?.() && !ofAnyUser(path)
}

/** Whether the owners of files are what a program of any user says (FUSE). */
function ofAnyUser(path: string): boolean {
  return statfsSync(path).type === fuseMagic
}

function listenIn(server: Server, folder: string): void {
  mkdirSync(folder, 0o700)
  try {
    // by the folder's handle: the path of a socket may not be long
    const handle = openSync(folder, constants.O_DIRECTORY)
    if (ofAnyUser(folder)) throw new Error(`${folder} is in a file system of FUSE`)
    server.on('error', () => undefined)
    server.listen(`/proc/self/fd/${handle}/${socketName}`)
    openSync(join(folder, socketName), O_PATH)
    closeSync(handle)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
