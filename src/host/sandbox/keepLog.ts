import { closeSync, fstatSync, readSync, writeSync } from 'node:fs'
import { previousLog } from '../../topology/planContainers.js'
import type { Sandbox } from './sandbox.js'

/** As much as kubelet keeps of a log (containerLogMaxSize). */
const mostBytes = 10 * 1024 * 1024
const blockBytes = 1024 * 1024

/**
 * Copies the output of a container that starts again, up to 10 MiB from its end, for `kubectl logs --previous`. A log that a
 * process of the lab has replaced by a link is not kept.
 */
export function keepLog({ inside }: Sandbox, log: string): void {
  const open: number[] = []
  try {
    const from = inside.open(log, 'read')
    open.push(from)
    const to = inside.open(previousLog(log), 'write')
    open.push(to)
    copy(from, to)
  } catch {
    return
  } finally {
    open.forEach((fd) => closeSync(fd))
  }
}

function copy(from: number, to: number): void {
  const { size } = fstatSync(from)
  const block = Buffer.alloc(Math.min(size, blockBytes))
  for (let position = Math.max(0, size - mostBytes); position < size;) {
    const bytes = readSync(from, block, 0, block.length, position)
    if (bytes === 0) return
    writeSync(to, block, 0, bytes)
    position += bytes
  }
}
