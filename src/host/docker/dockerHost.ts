import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { CannotRunError, InputError } from '../../errors.js'

/** A Docker engine that responds. */
export interface DockerHost {
  /** The address as given; `docker` for the one from the environment. */
  readonly name: string
  readonly docker: Docker
  readonly cpus: number
  /** Bytes. */
  readonly memory: number
}

/** Seconds that an engine may take for a short request. */
export const answerSeconds = 10

/** Connects to an engine by an address like DOCKER_HOST (unix://, tcp://, ssh://); by default as the docker command does. */
export async function openDockerHost(name: string | undefined): Promise<DockerHost> {
  const Engine = loadDockerode()
  const address = name ?? process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock'
  const docker = new Engine(connection(address))
  const impatient = new Engine({ ...connection(address), timeout: answerSeconds * 1000 })
  try {
    const info = (await impatient.info()) as { NCPU: number; MemTotal: number }
    return { name: name ?? 'docker', docker, cpus: info.NCPU, memory: info.MemTotal }
  } catch (error) {
    throw new CannotRunError(
      `no Docker engine answers at ${address}: ${messageOf(error)}`,
      '`docker info`, or --host with the address of one',
    )
  }
}

/** The error message of an engine, or of the connection to it. */
export function messageOf(error: unknown): string {
  const { json, message } = error as { json?: { message?: unknown }; message?: unknown }
  return String(json?.message ?? message ?? error)
}

/** True if the engine cannot be reached; false if it responded with an error. */
export function isLost(error: unknown): boolean {
  return (error as { statusCode?: unknown }).statusCode === undefined
}

/** Loaded on demand and not bundled: it is larger than all of vethlab. */
function loadDockerode(): typeof Docker {
  try {
    return createRequire(import.meta.url)('dockerode') as typeof Docker
  } catch (error) {
    throw new CannotRunError(
      `dockerode cannot be loaded: ${messageOf(error).split('\n')[0] ?? ''}`,
      'npm install dockerode@5 (an optional dependency, only for `vethlab ci`)',
    )
  }
}

function connection(address: string): Docker.DockerOptions {
  const bad = (hint: string) =>
    new InputError([{ message: `"${address}" is not an address of a Docker engine`, hint }])
  if (!URL.canParse(address)) throw bad('such as unix:///run/docker.sock, tcp://host:2376, ssh://user@host')
  const { protocol, hostname, port, username, pathname } = new URL(address)
  switch (protocol) {
    case 'unix:':
      return { socketPath: pathname }
    case 'ssh:':
      return {
        protocol: 'ssh',
        host: hostname,
        port: port || 22,
        username,
        sshOptions: { agent: process.env['SSH_AUTH_SOCK'] },
      } as Docker.DockerOptions
    case 'tcp:':
    case 'http:':
    case 'https:':
      return { host: hostname, ...overTcp(protocol, port) }
    default:
      throw bad('it must begin with unix://, tcp:// or ssh://')
  }
}

/** TLS settings as the docker command reads them: DOCKER_TLS_VERIFY, with ca.pem, cert.pem and key.pem in DOCKER_CERT_PATH. */
function overTcp(protocol: string, port: string): Docker.DockerOptions {
  const folder = process.env['DOCKER_CERT_PATH']
  const tls = protocol === 'https:' || (process.env['DOCKER_TLS_VERIFY'] ?? '') !== ''
  if (!tls) return { protocol: 'http', port: port || 2375 }
  const read = (file: string) => (folder === undefined ? undefined : readFileSync(join(folder, file)))
  const [ca, cert, key] = [read('ca.pem'), read('cert.pem'), read('key.pem')]
  return {
    protocol: 'https',
    port: port || 2376,
    ...(ca && cert && key && { ca, cert, key }),
  }
}
