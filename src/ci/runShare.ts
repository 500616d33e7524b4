import { basename, join } from 'node:path'
import { variantOptions, type Cell } from './matrix.js'
import { followShare } from './shareProgress.js'
import type { ShareEnd } from './schedule.js'
import { captureFile } from '../host/capture/captureFile.js'
import { makeFolderForCaller, writeForCaller } from '../host/callerFiles.js'
import { startContainer, type CiContainer } from '../host/docker/container.js'
import { answerSeconds, isLost, messageOf, type DockerHost } from '../host/docker/dockerHost.js'
import type { LabEvent } from '../results/events.js'

/** Where a share runs, and the functions that get its events and messages. */
export interface ShareOptions {
  readonly host: DockerHost
  readonly image: string
  /** Seconds that one lab may take. */
  readonly timeout: number
  /** Folder for the captures and errors of failed labs. */
  readonly out: string | undefined
  /** Kinds that are skipped in manifests. */
  readonly ignore: readonly string[]
  readonly signal: AbortSignal
  readonly onEvent: (event: LabEvent) => void
  readonly log: (line: string) => void
}

/** Seconds for starting a container. */
const startSeconds = 60

/** Seconds for copying files out of the container. */
const copySeconds = 120

/** Runs a share in one container. A lab that was interrupted has failed; labs that had not started are run again. */
export async function runShare(share: readonly Cell[], options: ShareOptions): Promise<ShareEnd> {
  const { host, signal, timeout } = options
  const progress = followShare(share, ({ lab }) => basename(lab))
  const failed: Cell[] = []
  let late: NodeJS.Timeout | undefined
  let why: string | undefined
  let container: CiContainer | undefined
  const silent = new AbortController()
  // an unreachable engine returns no error
  const expect = (seconds: number) => {
    clearTimeout(late)
    late = setTimeout(() => silent.abort(), seconds * 1000)
  }
  let begun = 0
  const expectLab = () => {
    begun = performance.now()
    clearTimeout(late)
    late = setTimeout(() => {
      why = `it took longer than ${timeout} seconds`
      container?.kill().catch(() => undefined)
      expect(answerSeconds)
    }, timeout * 1000)
  }
  // The engine rejects a second request while the first one is running, so both callers wait for the first.
  let removed: Promise<void> | undefined
  const remove = async () => {
    expect(answerSeconds)
    removed ??= container?.remove().catch(() => undefined)
    await removed
    clearTimeout(late)
  }
  const onAbort = () => void remove()
  try {
    expect(startSeconds)
    container = await startContainer(host, {
      image: options.image,
      ...containerInput(share, options.ignore),
      seconds: timeout * share.length + startSeconds,
      abandoned: silent.signal,
      onLine: (line) => {
        const event = read(line)
        const ours = event && progress.on(event)
        if (ours === undefined) return
        if (ours.type === 'lab-end') {
          expectLab()
          const cell = share.find(({ name }) => name === ours.lab)
          if (cell !== undefined && !ours.result.ok) failed.push(cell)
        }
        options.onEvent(ours)
      },
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) await remove()
    else expectLab()
    const code = await container.ended
    expect(copySeconds)
    signal.throwIfAborted()
    const current = progress.current() ?? (progress.waiting().length === share.length ? share[0] : undefined)
    // an engine that is stopped ends its containers
    if (current !== undefined && why === undefined && code > 128) await host.docker.ping()
    const stderr = container.stderr()
    if (current !== undefined) {
      const error = why ?? `the container ended with code ${code}: ${stderr}`
      options.onEvent(failure(current, error, performance.now() - begun))
      failed.push(current)
    }
    await keepEvidence(container, failed, options, stderr)
    return { again: progress.waiting().filter((cell) => cell !== current) }
  } catch (error) {
    signal.throwIfAborted()
    const current = progress.current()
    const again = [...(current === undefined ? [] : [current]), ...progress.waiting()]
    if (isLost(error)) {
      const lost = messageOf(error)
      const left =
        again.length === 0 ? '' : `: ${again.map(({ name }) => name).join(', ')} will run elsewhere`
      options.log(`lost the connection to ${host.name} (${lost})${left}`)
      return { again, lost }
    }
    for (const cell of again) {
      options.onEvent(failure(cell, `${host.name} cannot run it: ${messageOf(error)}`))
    }
    return { again: [] }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await remove()
  }
}

function containerInput(share: readonly Cell[], ignore: readonly string[]) {
  const own = share.filter(({ lab }) => lab.startsWith('/'))
  const place = (lab: string) => `/labs/${basename(lab)}`
  const variant = share[0]?.variant ?? {}
  return {
    args: [
      ...['run', '--reporter', 'events', '--pcap', '/out', ...variantOptions(variant)],
      ...ignore.flatMap((kind) => ['--ignore', kind]),
      '--',
      ...share.map(({ lab }) => (lab.startsWith('/') ? place(lab) : lab)),
    ],
    folders: new Map(own.map(({ lab }) => [place(lab), lab])),
  }
}

async function keepEvidence(
  container: CiContainer,
  failed: readonly Cell[],
  { out, log }: ShareOptions,
  stderr: string,
): Promise<void> {
  if (out === undefined) return
  for (const cell of failed) {
    const folder = join(out, cell.name.replaceAll(' ', '-'))
    const hasErrors = stderr !== ''
    if (hasErrors) {
      makeFolderForCaller(folder)
      writeForCaller(join(folder, 'stderr.txt'), `${stderr}\n`)
    }
    try {
      const copied = await container.copyOut(captureFile('/out', basename(cell.lab)), folder)
      if (copied || hasErrors) log(`${cell.name} failed; its captures and errors are in ${folder}`)
    } catch (error) {
      log(`${cell.name} failed; its captures cannot be copied: ${messageOf(error)}`)
    }
  }
}

function read(line: string): LabEvent | undefined {
  try {
    return JSON.parse(line) as LabEvent
  } catch {
    return undefined
  }
}

/** The lab-end event of a lab whose container reported none. */
export function failure({ name }: Cell, error: string, durationMs = 0): LabEvent {
  const machine = { kernel: '', iptables: '', backend: 'nft', rootless: false } as const
  const topology = { fabric: [], nodes: [], clients: [], pods: [], services: [] }
  const nothing = { title: '', durationMs, steps: [], notices: [] }
  return {
    type: 'lab-end',
    lab: name,
    result: { lab: name, ok: false, machine, topology, error, ...nothing },
  }
}
