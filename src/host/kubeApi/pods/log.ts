import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { parseLogOptions, type LogOptions } from '../../../apiserver/logOptions.js'
import type { ResourceRoute } from '../../../apiserver/route.js'
import { badRequest } from '../../../apiserver/status.js'
import type { Serving } from '../serving.js'
import { previousLog } from '../../../topology/planContainers.js'
import { containerLife, containerOf } from './access.js'
import { logLines } from './logLines.js'
import type { LogTimes } from './logTimes.js'

/** Time between two looks at a log that is followed. */
const intervalMs = 200
const blockBytes = 64 * 1024

/** Sends the output of a container, and with `follow` what it writes until it or its pod ends; throws a StatusError. */
export async function sendLog(
  serving: Serving,
  response: ServerResponse,
  route: ResourceRoute,
  query: URLSearchParams,
): Promise<void> {
  const options = parseLogOptions(query, route.name ?? '', serving.clock.now().getTime())
  const { name: container, log: current, status } = containerOf(serving, route, query)
  const { previous, follow } = options
  if (previous && status?.lastState?.terminated === undefined)
    throw badRequest(`previous terminated container "${container}" in pod "${route.name}" not found`)
  if (hasTimes(options) && serving.logTimes === undefined)
    throw badRequest('the times of logs are not known: the API cannot watch them')
  // a container that waits for its restart has not written since it ended
  const log =
    current !== undefined && previous && status?.state?.running !== undefined ? previousLog(current) : current
  const followed = follow ? follower(serving, response, containerLife(serving, route, container)) : undefined
  // No process of the lab chooses another file by a link.
  const file =
    log === undefined
      ? undefined
      : await open(log, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  try {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' })
    response.flushHeaders()
    if (file !== undefined) await copy(file, response, options, serving.logTimes, followed)
    // an echo server writes nothing, but runs
    else while (followed !== undefined && (await followed()));
  } finally {
    await file?.close()
    response.end()
  }
}

/** Waits a moment and returns true, or false when what is written from now on is not sent. */
type Follow = () => Promise<boolean>

function follower({ clock, watches }: Serving, response: ServerResponse, life: () => string): Follow {
  const first = life()
  return () =>
    new Promise((resolve) => {
      const done = (more: boolean) => {
        cancel()
        watches.delete(stop)
        response.removeListener('close', stop)
        resolve(more)
      }
      const stop = () => {
        done(false)
      }
      const cancel = clock.after(intervalMs, () => {
        done(first !== 'over' && life() === first && !response.destroyed)
      })
      watches.add(stop)
      response.on('close', stop)
    })
}

function hasTimes({ timestamps, since }: LogOptions): boolean {
  return timestamps || since !== undefined
}

async function copy(
  file: FileHandle,
  response: ServerResponse,
  options: LogOptions,
  times: LogTimes | undefined,
  follow: Follow | undefined,
): Promise<void> {
  const { size } = await file.stat()
  const { tailLines, limitBytes: limit = Infinity } = options
  let position = tailLines === undefined ? 0 : await tailStart(file, tailLines, size)
  // what the container writes from now on is sent only if it is followed
  let rest = follow === undefined ? size - position : Infinity
  let left = limit
  const buffer = Buffer.alloc(blockBytes)
  let lines = partsOf(file, options, times)
  const copyRest = async () => {
    // a process may empty its log
    if ((await file.stat()).size < position) [position, lines] = [0, partsOf(file, options, times)]
    while (left > 0 && !response.destroyed) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(blockBytes, rest), position)
      if (bytesRead === 0) return
      const sent = (await lines(buffer.subarray(0, bytesRead), position)).subarray(0, left)
      position += bytesRead
      rest -= bytesRead
      left -= sent.length
      if (sent.length > 0 && !response.write(sent)) await drained(response)
    }
  }
  await copyRest()
  if (follow === undefined) return
  while (left > 0 && (await follow())) await copyRest()
  // what it wrote last is read after its end is known
  if (!response.destroyed) await copyRest()
}

/** What is sent of each part that was read, in a buffer of its own. */
function partsOf(
  file: FileHandle,
  options: LogOptions,
  times: LogTimes | undefined,
): (part: Buffer, position: number) => Promise<Buffer> {
  if (times === undefined || !hasTimes(options)) return (part) => Promise.resolve(Buffer.from(part))
  const lines = logLines(options)
  // after reading, so that no part was written later than the time of the last write
  return async (part, position) => lines(part, position, times.of(await file.stat()))
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('drain', done)
      response.removeListener('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/** Where the last lines of a file of this size begin. */
async function tailStart(file: FileHandle, lines: number, size: number): Promise<number> {
  const buffer = Buffer.alloc(blockBytes)
  if (lines === 0) return size
  let [end, wanted] = [size, lines]
  while (end > 0) {
    const start = Math.max(0, end - blockBytes)
    const { bytesRead } = await file.read(buffer, 0, end - start, start)
    for (let index = bytesRead - 1; index >= 0; index--) {
      // The line feed at the end of the file ends the last line.
      if (buffer[index] !== 0x0a || start + index === size - 1) continue
      if (--wanted === 0) return start + index + 1
    }
    end = start
  }
  return 0
}
