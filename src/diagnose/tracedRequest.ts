import { lookUp } from '../cluster/dns/lookUp.js'
import type { Cluster } from '../cluster/types.js'
import { InputError } from '../errors.js'
import { urlProblem } from '../net/urlProblem.js'
import { substitute } from '../names/expression.js'
import { placeOf } from '../names/placeOf.js'
import type { Names } from '../names/names.js'
import type { Place, Topology } from '../topology/types.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { RequestHead } from '../ingress/matchingRoutes.js'
import { isAddress, parseSocket, splitPort } from '../net/socketText.js'
import type { TraceRequest } from '../trace/request.js'
import type { WrittenRequest } from './writtenRequest.js'

/** Names and places, as requests refer to them. */
interface Named {
  readonly names: Names
  readonly topology: Topology
  readonly cluster: Cluster
  /** Absent if the lab has no DNS server. */
  readonly dns?: object | undefined
}

/** Resolves the names of a request. Throws InputError. */
export function tracedRequest(prepared: Named, written: WrittenRequest): TraceRequest {
  const { names, topology } = prepared
  const { protocol, sourcePort, uid, gid, arrives, mark } = written
  const place = placeOf(names, topology.places, written.from)
  const { address, port, hostname } = target(written, prepared, place)
  const sourceAddress = written.sourceAddress && resolved(written.sourceAddress, prepared)
  if (protocol !== 'icmp' && port === undefined)
    throw problem(`"${written.to}" has no port`, `write ${written.to}:80, or --icmp for a ping`)
  if (/^(22[4-9]|23\d|255\.255)|^ff/i.test(address))
    throw problem(`${address} is a multicast or broadcast address: only packets to one host can be traced`)
  const head = written.head ?? headOf(written, hostname ?? address)
  return {
    from: place.netns,
    protocol,
    address,
    port,
    sourceAddress,
    sourcePort,
    head,
    uid,
    gid,
    arrives,
    mark,
  }
}

/** What curl sends for a URL. */
function headOf({ to, host }: WrittenRequest, called: string): RequestHead | undefined {
  const [, scheme, target = ''] = /^(https?):\/\/[^/?#]*([^#]*)/i.exec(to) ?? []
  if (scheme === undefined) return undefined
  return {
    secure: scheme.toLowerCase() === 'https',
    host: host ?? called,
    target: target.startsWith('/') ? target : `/${target}`,
    ...{ method: 'GET', headers: {} },
  }
}

interface Target extends SocketAddress {
  /** The name of the URL, if it is none in braces. */
  readonly hostname?: string
}

function target({ to, protocol }: WrittenRequest, prepared: Named, from: Place): Target {
  const [, socketOfUrl, socket = socketOfUrl] = /^(?:udp:\/\/(.*)|([^/]*)\/udp)$/i.exec(to) ?? []
  if (socket !== undefined)
    throw problem(`"${to}" is not an http:// or https:// URL, and not host:port`, `write ${socket} --udp`)
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(to)
  const text = resolved(to, prepared, isUrl ? 'url' : 'plain')
  if (!isUrl) {
    const socket = parseSocket(text)
    if (socket !== undefined) return socket
    const { host = text, port } = splitPort(text) ?? {}
    const address = addressOf(host, prepared, from)
    return port === undefined ? { address } : { address, port: Number(port) }
  }
  const wrong = urlProblem(text)
  if (wrong !== undefined) throw problem(`"${text}" ${wrong}`)
  const { hostname, port, protocol: scheme } = new URL(text)
  if (protocol !== 'tcp')
    throw problem(
      `"${to}" is a URL, which is fetched over TCP`,
      'write host:port for --udp, and a host for --icmp',
    )
  const called = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? (scheme === 'https:' ? 443 : 80) : Number(port)
  if (isAddress(called)) return { address: called, port: number }
  return { address: addressOf(called, prepared, from), port: number, hostname: called.replace(/\.$/, '') }
}

/** The first address of a name, as the sender looks it up. */
function addressOf(name: string, { cluster, dns }: Named, from: Place): string {
  const pod = cluster.pods.find(
    ({ metadata }) =>
      from.kind === 'pod' &&
      metadata.name === from.name &&
      (metadata.namespace ?? 'default') === (from.namespace ?? 'default'),
  )
  if (pod === undefined)
    throw problem(
      `"${name}" is not an address, and ${from.name} does not use the DNS of the cluster`,
      'write an address, or a name of the lab in braces: {node-a}, {my-service}',
    )
  const found = lookUp(name, pod, cluster)
  if ('problem' in found) throw problem(found.problem, found.hint)
  const [address = ''] = found.addresses
  if (dns !== undefined) return address
  throw problem(
    `"${name}" is ${address} in the DNS of a cluster, and this lab has no DNS server`,
    'write `dns: true` in lab.yaml, or a name in braces: {my-service}',
  )
}

function resolved(text: string, { names }: Named, use: 'plain' | 'url' = 'plain'): string {
  const done = substitute(text, names, use)
  if ('text' in done) return done.text
  throw problem(done.problem, done.hint)
}

function problem(message: string, hint?: string): InputError {
  return new InputError([{ message, hint }])
}
