import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { InputError } from '../../errors.js'
import { readText } from '../../host/readText.js'
import { expiry, fingerprint, makeCertificate } from '../../host/certificate.js'
import { hostAddresses } from '../../host/view/pageServer.js'
import type { Certificate } from '../../ingress/model.js'
import { userFile } from '../../host/userState.js'
import { positiveNumber } from '../options.js'
import { isAddress } from '../../net/socketText.js'
import type { ClassRecord } from '../../workshop/class/classRecord.js'

/** Options of the commands that serve a class. */
export interface ServeFlags {
  readonly listen?: string
  readonly port?: number
  readonly name?: readonly string[]
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecureListen?: true
  readonly results?: string
  /** MiB. */
  readonly participantMemory: number
  readonly participantTasks: number
}

/** Where a class is served. */
export interface ClassSite {
  readonly address: string
  readonly port: number
  readonly names: readonly string[]
  readonly tls?: Certificate | undefined
}

const usualPort = 8480
/** A certificate that expires during the class is not used, in milliseconds. */
const longestClass = 24 * 3_600_000

/** Adds the options of the server. */
export function addServeOptions(command: Command): Command {
  return command
    .option(
      '--listen <address>',
      'the address to listen on (default: 127.0.0.1); 0.0.0.0 is every address',
      readAddress,
    )
    .option('--port <port>', `the port to listen on (default: ${usualPort})`, readPort)
    .option(
      '--name <host>',
      'a name of this server, as participants write it; the first one is that of the links (repeatable)',
      (name: string, names: readonly string[] = []) => [...names, readName(name)],
    )
    .option('--tls-cert <file>', 'certificate, in PEM (default: a self-signed one)')
    .option('--tls-key <file>', 'its key, in PEM')
    .option('--insecure-listen', 'serve other hosts without TLS: the connection is not encrypted')
    .addOption(
      new Option('--participant-memory <MiB>', 'the most memory of one participant')
        .argParser(positiveNumber)
        .default(512),
    )
    .addOption(
      new Option('--participant-tasks <number>', 'the most processes and threads of one participant')
        .argParser(positiveNumber)
        .default(500),
    )
    .option(
      '--results <folder>',
      'where results are written when the server ends (default: the folder of before, or the current one)',
    )
}

/** The site that the options request; by default the one where the class was served last. Throws InputError. */
export function siteOf(flags: ServeFlags, last: ClassRecord['site']): ClassSite {
  const address = flags.listen ?? last?.address ?? '127.0.0.1'
  const port = flags.port ?? last?.port ?? usualPort
  const names = flags.name ?? last?.names ?? []
  const site = { address, port, names: names.length > 0 ? names : ownNames(address) }
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    throw new InputError([{ message: '--tls-cert and --tls-key are used together' }])
  if (flags.tlsCert !== undefined && flags.tlsKey !== undefined)
    return { ...site, tls: { certificate: readText(flags.tlsCert), key: readText(flags.tlsKey) } }
  const isPlainAgain = last?.tls === false && last.address === address
  if (flags.insecureListen === true || isPlainAgain || isLoopback(address)) return site
  return { ...site, tls: ownCertificate(site.names) }
}

/** The folder for the results, as an absolute path: by default that of before, or the current one. */
export function resultsFolder({ results }: ServeFlags, last: ClassRecord['results']): string {
  return resolve(results ?? last ?? '.')
}

/** The certificate of this user's classes: browsers that accepted it do so again after a restart. */
function ownCertificate(names: readonly string[]): Certificate {
  const file = userFile('class-tls.json')
  const known = JSON.parse(file.read() ?? '{}') as { names?: readonly string[] } & Partial<Certificate>
  const { certificate, key } = known
  const isSame = certificate !== undefined && key !== undefined && String(known.names) === String(names)
  const now = new Date()
  if (isSame && expiry({ certificate, key }) - now.getTime() > longestClass) return { certificate, key }
  const made = makeCertificate({ hosts: names, days: 30 }, now)
  file.write(JSON.stringify({ names, ...made }))
  return made
}

/** What is printed of a site that browsers do not know. */
export function siteNotes({ tls }: ClassSite, { tlsCert }: ServeFlags): readonly string[] {
  if (tls === undefined || tlsCert !== undefined) return []
  return [`The certificate is self-signed: browsers ask once. Its SHA-256 fingerprint is ${fingerprint(tls)}`]
}

function ownNames(address: string): readonly string[] {
  if (address !== '0.0.0.0' && address !== '::') return [address]
  const all = hostAddresses()
  return all.length > 0 ? all : ['127.0.0.1']
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address)
}

function readAddress(text: string): string {
  if (text === 'localhost') return '127.0.0.1'
  if (!isAddress(text)) throw new InvalidArgumentError('It must be an IPv4 or IPv6 address, such as 0.0.0.0.')
  return text
}

function readName(text: string): string {
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('It must be a name of a host, such as class.example.com.')
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}
