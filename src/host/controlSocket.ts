import { randomBytes } from 'node:crypto'
import { closeSync, constants, mkdirSync, openSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotRunError } from '../errors.js'
import { firstLine, type LineLimits } from './lines.js'
import { O_PATH } from './sandbox/insideFiles.js'

const socketName = 'vethlab-control'

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

/** Where processes of the same user reach what a process listens on; undefined while it does not listen. */
export function controlSocketOf(pid: number): string | undefined {
  const folder = `/proc/${pid}/fd`
  const ends = `/${socketName} (deleted)`
  try {
    const found = readdirSync(folder).find((fd) => targetOf(`${folder}/${fd}`).endsWith(ends))
    return found === undefined ? undefined : `${folder}/${found}`
  } catch {
    return undefined
  }
}

function listenIn(server: Server, folder: string): void {
  mkdirSync(folder, 0o700)
  try {
    // by the folder's handle: the path of a socket may not be long
    const handle = openSync(folder, constants.O_DIRECTORY)
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
