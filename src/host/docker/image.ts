import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { CannotRunError } from '../../errors.js'
import { messageOf, type DockerHost } from './dockerHost.js'

/** How the image is built. */
export interface ImageOptions {
  /** The folder of the vethlab package: its build and its labs are copied into the image. */
  readonly packageRoot: string
  /** The base image; by default the Dockerfile's. */
  readonly base?: string | undefined
  /** The network of the build, as `docker build --network`. */
  readonly network?: string | undefined
  readonly signal: AbortSignal
  readonly log: (line: string) => void
}

/** Files and folders that the Dockerfile copies; dist has the Dockerfile itself, without mounts, which need BuildKit. */
const parts = [
  ...['package.json', 'dist', 'labs'],
  ...['scripts/setup.mjs', 'scripts/setup', 'src/host/doctor/requirements.json'],
]

const repository = 'vethlab-ci'

/** Builds the image on an engine unless it exists; returns its name, which contains a hash of its contents. */
export async function ensureImage(host: DockerHost, options: ImageOptions): Promise<string> {
  const { packageRoot, base = '', log } = options
  const missing = parts.filter((part) => !existsSync(join(packageRoot, part)))
  if (missing.length > 0)
    throw new CannotRunError(`the image cannot be built: missing in ${packageRoot}: ${missing.join(', ')}`)
  const image = `${repository}:${contentHash(packageRoot, base)}`
  const found = await host.docker.listImages({ filters: { reference: [image] } })
  if (found.length > 0) return image
  log(`${host.name}: building the image ${image}`)
  await build(host, image, options)
  await removeOthers(host, image)
  return image
}

async function build(host: DockerHost, image: string, options: ImageOptions): Promise<void> {
  const tar = spawn('tar', ['-C', options.packageRoot, '-c', ...parts], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const progress = await host.docker.buildImage(tar.stdout, {
      t: image,
      dockerfile: 'dist/Dockerfile',
      abortSignal: options.signal,
      ...(options.base === undefined ? {} : { buildargs: { BASE: options.base } }),
      ...(options.network === undefined ? {} : { networkmode: options.network }),
    })
    const said: string[] = []
    await new Promise<void>((resolve, reject) => {
      host.docker.modem.followProgress(
        progress,
        (error) => (error ? reject(error) : resolve()),
        (event: { stream?: string; error?: string }) => {
          const line = event.stream?.trim() ?? ''
          if (/^Step \d/.test(line)) options.log(`${host.name}: ${shortened(line)}`)
          if (event.error !== undefined) reject(new Error([event.error, ...said.slice(-8)].join('\n    ')))
          else if (line !== '') said.push(...line.split('\n'))
        },
      )
    })
  } catch (error) {
    options.signal.throwIfAborted()
    throw new CannotRunError(`${host.name}: the image cannot be built: ${messageOf(error)}`)
  } finally {
    tar.kill()
  }
}

function shortened(line: string): string {
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/** Removes images of earlier builds; an image that a container uses stays until the next build. */
async function removeOthers({ docker }: DockerHost, image: string): Promise<void> {
  const images = await docker.listImages({ filters: { reference: [repository] } })
  const old = images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag !== image)
  await Promise.allSettled(old.map((tag) => docker.getImage(tag).remove()))
}

function contentHash(root: string, base: string): string {
  const hash = createHash('sha256').update(`${base}\n`)
  for (const file of parts.flatMap((part) => filesOf(root, part))) {
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 12)
}

function filesOf(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(root, `${path}/${name}`))
}
