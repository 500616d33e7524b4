import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { basename } from 'node:path'
import type { InsideFiles } from '../sandbox/insideFiles.js'

/** kubelet's containerLogMaxSize. */
const mostBytes = 10 * 2 ** 20
/** kubelet's containerLogMaxFiles, with the one that is written. */
const mostFiles = 5
const blockBytes = 64 * 1024

/** What writes the output of a process to its log. */
export interface LogRelay {
  /** The end of a pipe for both outputs of the process; the caller closes it when the process has it. */
  readonly fd: number
  /** Writes what the process has written until now. */
  drain(): void
}

/**
 * Writes what processes write to a pipe to a log inside the sandbox, until all of them have closed it. A process cannot write
 * faster than this: the log is in memory, and none of its files grows beyond `mostBytes`. A full log becomes `LOG.1`, the one before
 * `LOG.2` and so on, as kubelet rotates logs; the file that is written stays the same, for those that follow it.
 */
export function relayLog(inside: InsideFiles, log: string): LogRelay {
  const { read, write } = inside.openPipe(`${log}.pipe`)
  const file = inside.open(log, 'write')
  const buffer = Buffer.alloc(blockBytes)
  let size = 0
  let isOver = false

  function add(bytes: Buffer): void {
    try {
      if (size + bytes.length > mostBytes) {
        rotate(inside, log, file)
        size = 0
      }
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
      size += bytes.length
    } catch {
      // the sandbox has ended, or its memory is full
    }
  }

  const socket = new Socket({ fd: read, readable: true, writable: false })
  const end = () => void (isOver = true)
  socket.on('data', add).on('error', end).on('end', end)
  socket.on('close', () => closeSync(file))
  socket.unref()
  return {
    fd: write,
    drain() {
      try {
        while (!isOver) {
          const count = readSync(read, buffer)
          if (count === 0) return
          add(buffer.subarray(0, count))
        }
      } catch {
        // it is empty
      }
    },
  }
}

function rotate(inside: InsideFiles, log: string, file: number): void {
  const rotated = (number: number) => `${log}.${number}`
  for (let number = mostFiles - 2; number > 0; number--)
    if (inside.exists(rotated(number))) inside.rename(rotated(number), basename(rotated(number + 1)))
  const target = inside.open(rotated(1), 'write')
  // this file may have another name since the container was started again
  const source = openSync(`/proc/self/fd/${file}`, 'r')
  try {
    const buffer = Buffer.alloc(2 ** 20)
    for (let copied = 0; copied < mostBytes;) {
      const count = readSync(source, buffer)
      if (count === 0) break
      writeSync(target, buffer, 0, count)
      copied += count
    }
  } finally {
    closeSync(source)
    closeSync(target)
  }
  ftruncateSync(file)
}
