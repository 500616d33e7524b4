import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInterface } from 'node:readline'
import type Docker from 'dockerode'
import { makeFolder } from '../makeFolder.js'
import type { DockerHost } from './dockerHost.js'
import { deadlineLabel, isAbandoned, runnerLabel, runnerText, thisRunner } from './runner.js'

/** How a container is started. */
export interface ContainerOptions {
  readonly image: string
  /** Arguments of vethlab. */
  readonly args: readonly string[]
  /** Folders of this host that are copied into it, by target path. */
  readonly folders: ReadonlyMap<string, string>
  /** Seconds after which it ends by itself, even if vethlab is gone. */
  readonly seconds: number
  readonly onLine: (line: string) => void
  /** Aborted when the engine is given up: pending requests reject. */
  readonly abandoned: AbortSignal
}

/** A started container; the caller must call `remove`. */
export interface CiContainer {
  /** Resolves with its exit code when it has ended and `onLine` got all lines. */
  readonly ended: Promise<number>
  /** The last 4000 characters of its standard error. */
  stderr(): string
  /** Copies a file of it to a folder here; false when there is none. */
  copyOut(path: string, folder: string): Promise<boolean>
  kill(): Promise<void>
  remove(): Promise<void>
}

/** The minimal rights that labs need (docs/ci.md); no network, because labs make their own. */
export const rights: Docker.HostConfig = {
  NetworkMode: 'none',
  CapAdd: ['NET_ADMIN', 'SYS_ADMIN'],
  SecurityOpt: ['apparmor=unconfined'],
}

/** Creates and starts a container. */
export async function startContainer(host: DockerHost, options: ContainerOptions): Promise<CiContainer> {
  const { abandoned } = options
  // a response that stalls does not end the request
  const silence = new Promise<never>((_, reject) => {
    abandoned.addEventListener('abort', () => reject(new Error('no response')), { once: true })
  })
  silence.catch(() => undefined)
  const orSilence = <Result>(result: Promise<Result>) => Promise.race([result, silence])
  const container = await orSilence(begin(host, options))
  return {
    ended: orSilence(container.ended),
    stderr: () => container.stderr(),
    copyOut: (path, folder) => orSilence(container.copyOut(path, folder)),
    kill: () => orSilence(container.kill()),
    remove: () => orSilence(container.remove()),
  }
}

async function begin({ docker }: DockerHost, options: ContainerOptions): Promise<CiContainer> {
  const { abandoned: abortSignal } = options
  const container = await docker.createContainer({
    abortSignal,
    Image: options.image,
    // a time limit inside: it ends even if vethlab was killed or lost the connection to the engine
    Entrypoint: ['tini', '-s', '--', 'timeout', '--kill-after=5', String(options.seconds)],
    Cmd: ['node', '/opt/vethlab/dist/cli.cjs', ...options.args],
    Labels: {
      [runnerLabel]: runnerText(thisRunner()),
      // short on purpose: not a wait; other processes, even after a restart of the host, compare it with their clock
      [deadlineLabel]: String(Date.now() + (options.seconds + 30) * 1000),
    },
    HostConfig: rights,
  })
  const remove = async () => {
    await container.remove({ force: true, v: true, abortSignal })
  }
  try {
    for (const [target, source] of options.folders) await copyIn(container, source, target, abortSignal)
    const stream = await container.attach({ stream: true, stdout: true, stderr: true, abortSignal })
    const out = new PassThrough()
    const err = new PassThrough()
    docker.modem.demuxStream(stream, out, err)
    let stderr = ''
    err.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-4000)
    })
    const lines = createInterface({ input: out }).on('line', options.onLine)
    const allLines = once(lines, 'close')
    const cut = once(stream, 'error').then(([error]) => {
      throw error as Error
    })
    cut.catch(() => undefined)
    stream.once('close', () => out.end())
    stream.once('end', () => out.end())
    await container.start({ abortSignal })
    // the stream also ends when the connection to the engine is lost: `wait` rejects then
    const ended = Promise.race([allLines, cut]).then(async () => {
      const { StatusCode } = (await container.wait({ abortSignal })) as { StatusCode: number }
      return StatusCode
    })
    ended.catch(() => undefined)
    return {
      ended,
      stderr: () => stderr.trim(),
      copyOut: (path, folder) => copyOut(container, path, folder, abortSignal),
      kill: async () => {
        await container.kill({ abortSignal })
      },
      remove,
    }
  } catch (error) {
    await remove().catch(() => undefined)
    throw error
  }
}

/** Removes containers of runners that no longer run; returns how many. */
export async function sweep({ docker }: DockerHost): Promise<number> {
  const all = await docker.listContainers({ all: true, filters: { label: [runnerLabel] } })
  const left = all.filter(({ Labels }) => isAbandoned(Labels, Date.now()))
  await Promise.allSettled(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })))
  return left.length
}

async function copyIn(
  container: Docker.Container,
  source: string,
  target: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const names = ['--transform', `s,^${escaped(basename(source))},${target.slice(1)},`]
  const tar = spawn('tar', ['-C', dirname(source), '-c', ...names, '--', basename(source)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await container.putArchive(tar.stdout, { path: '/', abortSignal })
}

async function copyOut(
  container: Docker.Container,
  path: string,
  folder: string,
  abortSignal: AbortSignal,
): Promise<boolean> {
  let archive: NodeJS.ReadableStream
  try {
    archive = await container.getArchive({ path, abortSignal })
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === 404) return false
    throw error
  }
  makeFolder(folder)
  const args = ['-C', folder, '-x', '--no-same-owner']
  const tar = spawn('tar', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const done = once(tar, 'close')
  await pipeline(archive, tar.stdin)
  await done
  return true
}

function escaped(name: string): string {
  return name.replace(/[\\.*[\]^$,/]/g, '\\$&')
}
