import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { flag } from '../../../apiserver/listOptions.js'
import { isTerminal } from '../../../cluster/pods/podFacts.js'
import type { KubeObject, Pod } from '../../../cluster/types.js'
import type { ResourceRoute } from '../../../apiserver/route.js'
import { badRequest } from '../../../apiserver/status.js'
import type { Serving } from '../serving.js'
import { previousLog } from '../../../topology/planContainers.js'
import { containerOf } from './access.js'

/** Time between two looks at a log that is followed. */
const intervalMs = 200
const blockBytes = 64 * 1024

/** Sends the output of a container, and with `follow` what it writes until the pod ends or is deleted; throws a StatusError. */
export async function sendLog(
  serving: Serving,
  response: ServerResponse,
  route: ResourceRoute,
  query: URLSearchParams,
): Promise<void> {
  const { name: container, log: current, status } = containerOf(serving, route, query)
  const isPrevious = flag(query, 'previous')
  if (isPrevious && status?.lastState?.terminated === undefined)
    throw badRequest(`previous terminated container "${container}" in pod "${route.name}" not found`)
  // a container that waits for its restart has not written since it ended
  const log =
    current !== undefined && isPrevious && status?.state?.running !== undefined
      ? previousLog(current)
      : current
  if (flag(query, 'timestamps') || query.has('sinceSeconds') || query.has('sinceTime'))
    throw badRequest('the logs of a lab have no times: timestamps, sinceSeconds and sinceTime are not served')
  const lines = natural(query, 'tailLines')
  const limit = natural(query, 'limitBytes')
  // No process of the lab chooses another file by a link.
  const file =
    log === undefined
      ? undefined
      : await open(log, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined)
  try {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' })
    response.flushHeaders()
    if (file !== undefined)
      await copy(file, response, lines, limit, follower(serving, response, route, query))
  } finally {
    await file?.close()
    response.end()
  }
}

/** Waits a moment and returns true, or false when nothing more will be sent. */
type Follow = () => Promise<boolean>

function follower(
  { store, clock, watches }: Serving,
  response: ServerResponse,
  { resource, namespace, name = '' }: ResourceRoute,
  query: URLSearchParams,
): Follow | undefined {
  if (!flag(query, 'follow')) return undefined
  const uid = () => store.get(resource, namespace, name)?.metadata.uid
  const first = uid()
  // what it wrote last is read after its end is known
  let hasEnded = false
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
        const more = !hasEnded && uid() === first && !response.destroyed
        hasEnded = isOver(store.get(resource, namespace, name))
        done(more)
      })
      watches.add(stop)
      response.on('close', stop)
    })
}

/** Whether no container of a pod will run again. */
function isOver(pod: KubeObject | undefined): boolean {
  return pod !== undefined && isTerminal(pod as Pod)
}

async function copy(
  file: FileHandle,
  response: ServerResponse,
  lines: number | undefined,
  limit = Infinity,
  follow: Follow | undefined,
): Promise<void> {
  const { size } = await file.stat()
  let position = lines === undefined ? 0 : await tailStart(file, lines, size)
  // what the container writes from now on is sent only if it is followed
  let left = follow === undefined ? Math.min(limit, size - position) : limit
  const buffer = Buffer.alloc(blockBytes)
  const copyRest = async () => {
    // A container that starts again empties its log.
    if ((await file.stat()).size < position) position = 0
    while (left > 0 && !response.destroyed) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(blockBytes, left), position)
      if (bytesRead === 0) return
      position += bytesRead
      left -= bytesRead
      if (!response.write(Buffer.from(buffer.subarray(0, bytesRead)))) await drained(response)
    }
  }
  await copyRest()
  if (follow === undefined) return
  while (left > 0 && (await follow())) await copyRest()
  if (!response.destroyed) await copyRest()
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

function natural(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name)
  if (value === null || value === '') return undefined
  if (!/^\d+$/.test(value)) throw badRequest(`${name}: Invalid value: "${value}": must be a decimal number`)
  return Number(value)
}
