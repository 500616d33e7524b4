import { InputError } from '../errors.js'
import { urlProblem } from '../net/urlProblem.js'
import { substitute } from '../names/expression.js'
import { placeOf } from '../names/placeOf.js'
import type { Names } from '../names/names.js'
import type { Topology } from '../topology/types.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { RequestHead } from '../ingress/matchingRoutes.js'
import { isAddress, parseSocket } from '../net/socketText.js'
import type { TraceRequest } from '../trace/request.js'
import type { WrittenRequest } from './writtenRequest.js'

/** Names and places, as requests refer to them. */
interface Named {
  readonly names: Names
  readonly topology: Topology
}

/** Resolves the names of a request. Throws InputError. */
export function tracedRequest(prepared: Named, written: WrittenRequest): TraceRequest {
  const { names, topology } = prepared
  const { protocol, sourcePort } = written
  const place = placeOf(names, topology.places, written.from)
  const { address, port } = target(written, prepared)
  const sourceAddress = written.sourceAddress && resolved(written.sourceAddress, prepared)
  if (protocol !== 'icmp' && port === undefined)
    throw problem(`"${written.to}" has no port`, `write ${written.to}:80, or --icmp for a ping`)
  if (/^(22[4-9]|23\d|255\.255)|^ff/i.test(address))
    throw problem(`${address} is a multicast or broadcast address: only packets to one host can be traced`)
  const head = written.head ?? headOf(written, address)
  return { from: place.netns, protocol, address, port, sourceAddress, sourcePort, head }
}

/** What curl sends for a URL. */
function headOf({ to, host }: WrittenRequest, address: string): RequestHead | undefined {
  const [, scheme, target = ''] = /^(https?):\/\/[^/?#]*([^#]*)/i.exec(to) ?? []
  if (scheme === undefined) return undefined
  return {
    secure: scheme.toLowerCase() === 'https',
    host: host ?? address,
    target: target.startsWith('/') ? target : `/${target}`,
    ...{ method: 'GET', headers: {} },
  }
}

function target({ to, protocol }: WrittenRequest, prepared: Named): SocketAddress {
  const [, socketOfUrl, socket = socketOfUrl] = /^(?:udp:\/\/(.*)|([^/]*)\/udp)$/i.exec(to) ?? []
  if (socket !== undefined)
    throw problem(`"${to}" is not an http:// or https:// URL, and not host:port`, `write ${socket} --udp`)
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(to)
  const text = resolved(to, prepared, isUrl ? 'url' : 'plain')
  if (!isUrl) {
    const socket = parseSocket(text)
    if (socket !== undefined) return socket
    throw noAddress(text)
  }
  const wrong = urlProblem(text)
  if (wrong !== undefined) throw problem(`"${text}" ${wrong}`)
  const { hostname, port, protocol: scheme } = new URL(text)
  if (protocol !== 'tcp')
    throw problem(
      `"${to}" is a URL, which is fetched over TCP`,
      'write host:port for --udp, and a host for --icmp',
    )
  const address = hostname.replace(/^\[|\]$/g, '')
  if (!isAddress(address)) throw noAddress(address)
  return { address, port: port === '' ? (scheme === 'https:' ? 443 : 80) : Number(port) }
}

function resolved(text: string, { names }: Named, use: 'plain' | 'url' = 'plain'): string {
  const done = substitute(text, names, use)
  if ('text' in done) return done.text
  throw problem(done.problem, done.hint)
}

function noAddress(text: string): InputError {
  return problem(
    `"${text}" is not an address: a prediction does not ask DNS`,
    'write an address, or a name of the lab in braces: {node-a}, {my-service}',
  )
}

function problem(message: string, hint?: string): InputError {
  return new InputError([{ message, hint }])
}
