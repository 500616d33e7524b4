import { InputError } from '../errors.js'
import { namesOf, type Names } from '../names/names.js'
import type { Lookup, Named, NamedKind } from '../names/named.js'
import type { SocketAddress } from '../net/socketAddress.js'
import type { ServiceView, TopologyView } from '../results/events.js'

/** A pair of `vethlab forward`, as written. */
export interface ForwardPair {
  /** Port on the host; 0 for a free one. */
  readonly localPort: number
  /** A Service, pod, node or client: `name`, `kind/name`, `kind/namespace/name`, or `web.shop` as in DNS. */
  readonly reference: string
  /** A number, or the name of a port of a Service. */
  readonly port: string
}

/** Where the connections of a pair go, inside the lab. */
export interface ForwardTarget extends Required<SocketAddress> {
  /** As people write it: `service/web:80`. */
  readonly name: string
}

/** Parses `8080:service/web:80`, `:service/web:80` (any free port) or `service/web:80` (the same port). Throws InputError. */
export function parsePair(text: string): ForwardPair {
  const groups = /^(?:(?<local>\d*):)?(?<reference>[^:]+):(?<port>[^:]+)$/.exec(text)?.groups
  const { local, reference = '', port = '' } = groups ?? {}
  const localPort = local === '' ? 0 : Number(local ?? port)
  const valid = groups !== undefined && Number.isInteger(localPort) && localPort <= 65_535
  if (valid && (local !== undefined || localPort > 0)) return { localPort, reference, port }
  const message = `"${text}" is not a pair of a port and a target`
  throw new InputError([{ message, hint: 'write 8080:service/web:80, or 8080:pod/web-0:80' }])
}

/**
 * The address and port that a pair names in a lab; pods and Services without a namespace in their reference are
 * those of `namespace`, if it is given. Throws InputError if there is none.
 */
export function forwardTarget(
  view: TopologyView,
  { reference, port }: ForwardPair,
  namespace?: string,
): ForwardTarget {
  const looked = lookup(namesOf(view), reference, namespace)
  if (!('found' in looked)) throw new InputError([{ message: looked.problem, hint: looked.hint }])
  const [{ kind, label, addresses, service }] = looked.found
  const name = `${label.includes('/') ? label : `${kind}/${label}`}:${port}`
  const [address] = addresses
  if (address === undefined) throw withoutAddress(looked.found[0])
  return { address, port: service === undefined ? portNumber(port) : servicePort(service, port), name }
}

function lookup(names: Names, reference: string, namespace?: string): Lookup {
  const [first, ...others] = meanings(reference, namespace)
  const looked = names.lookup(...first)
  if ('found' in looked) return looked
  return others.map((other) => names.lookup(...other)).find((other) => 'found' in other) ?? looked
}

type Meaning = readonly [reference: string, kinds?: readonly NamedKind[]]

/** What a reference can mean, the likeliest first. */
function meanings(reference: string, namespace?: string): [Meaning, ...Meaning[]] {
  const [, kind = '', name] = /^(pod\/|service\/)?([^/=]+)$/.exec(reference) ?? []
  if (name === undefined) return [[reference]]
  const inDns = kind === 'pod/' ? null : /^([^.]+)\.([^.]+)(\.svc(\..*)?)?$/.exec(name)
  const services: Meaning[] = inDns === null ? [] : [[`service/${inDns[2]}/${inDns[1]}`]]
  if (namespace === undefined) return [[reference], ...services]
  const withoutNamespace: Meaning[] = kind === '' ? [[reference, ['node', 'client']]] : []
  return [[`${kind}${namespace}/${name}`], ...withoutNamespace, ...services]
}

function withoutAddress({ kind, name }: Named): InputError {
  const hint =
    kind === 'service'
      ? 'a headless or ExternalName Service has no rules; name one of its pods'
      : 'it is starting or has ended'
  return new InputError([{ message: `${kind}/${name} has no address`, hint }])
}

function portNumber(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new InputError([{ message: `"${text}" is not a port`, hint: 'only ports of Services have names' }])
}

function servicePort({ name, ports }: ServiceView, text: string): number {
  const wanted = ports.filter((port) => port.name === text || String(port.port) === text)
  const found = wanted.find(({ protocol }) => protocol === 'TCP')
  if (found !== undefined) return found.port
  const known = ports.map((port) => `${port.port}/${port.protocol}${port.name ? ` (${port.name})` : ''}`)
  const message =
    wanted.length > 0
      ? `port ${text} of service/${name} is ${wanted[0]?.protocol ?? ''}: only TCP connections can be forwarded`
      : `service/${name} has no port ${text}`
  throw new InputError([{ message, hint: `its ports: ${known.join(', ')}` }])
}
