import { parseSocket, splitPort, isAddress, socketText } from '../../net/socketText.js'
import type { SocketAddress } from '../../net/socketAddress.js'
import type { Named, NamedKind } from '../../names/named.js'
import { namedKinds, placeKinds, type Names } from '../../names/names.js'
import type { StepAction } from '../types.js'

/** The owner of an address in a packet, as an expectation states it. */
export interface Who {
  /** For messages: `node-a (172.18.0.2)`. */
  readonly words: string
  /** The addresses that match, with a port if the port must match; undefined when any address matches. */
  readonly sockets: readonly SocketAddress[] | undefined
  /** The port that is expected besides the address. */
  readonly port?: number | undefined
}

export type Path = readonly (string | number)[]

/** Resolves the names in an expectation; unknown names are reported with their position. */
export interface Resolver {
  readonly repeat: number
  readonly action: StepAction
  readonly names: Names
  /** The same resolver for a part of the value. */
  within(...keys: Path): Resolver
  problem(message: string, hint?: string): void
  /** The object of a reference; for a selector the first pod by name. */
  one(reference: string, kinds?: readonly NamedKind[]): Named | undefined
  /** The pods of references: for a selector all that match, for a Service its endpoints. */
  pods(references: readonly string[]): Named[]
  /** An address, a name or `*`, with or without a port; with `endpoints`, a Service means its endpoints. */
  who(text: string, services?: 'addresses' | 'endpoints'): Who
}

/** What a resolver needs to know about its step. */
export interface ResolverInput {
  readonly names: Names
  readonly repeat: number
  readonly action: StepAction
  readonly path: Path
  readonly report: (path: Path, message: string, hint?: string) => void
}

/** A resolver for the expectation at a path of lab.yaml. */
export function createResolver(input: ResolverInput): Resolver {
  const { names } = input
  const problem = (message: string, hint?: string) => input.report(input.path, message, hint)
  const found = (reference: string, kinds: readonly NamedKind[]): readonly Named[] => {
    const lookup = names.lookup(reference, kinds)
    if ('found' in lookup) return lookup.found
    problem(lookup.problem, lookup.hint)
    return []
  }
  return {
    repeat: input.repeat,
    action: input.action,
    names,
    problem,
    within: (...keys) => createResolver({ ...input, path: [...input.path, ...keys] }),
    one: (reference, kinds = placeKinds) => found(reference, kinds)[0],
    pods: (references) => {
      const all = references.flatMap((reference, index) => {
        const inner =
          references.length > 1 ? createResolver({ ...input, path: [...input.path, index] }) : undefined
        const lookup = names.lookup(reference, ['pod', 'service'])
        if ('found' in lookup)
          return lookup.found.flatMap((one) => (one.service ? podsBehind(one, names) : [one]))
        ;(inner?.problem ?? problem)(lookup.problem, lookup.hint)
        return []
      })
      return [...new Set(all)]
    },
    who(text, services = 'addresses') {
      const split = splitPort(text)
      const nobody: Who = { words: text, sockets: [] }
      if (split === undefined) {
        problem(`"${text}" is not an address or a name`, 'write a name, an address, name:port or *')
        return nobody
      }
      const { host, port } = split
      if (host === '*') return { words: text, sockets: undefined, port }
      if (isAddress(host))
        return { words: withName(text, names.at(host)?.label), sockets: [{ address: host }], port }
      const all = found(host, namedKinds)
      const [first] = all
      if (first === undefined) return nobody
      if (first.service && services === 'endpoints') return endpointsOf(first, text, port)
      const addresses = [...new Set(all.flatMap((one) => one.allAddresses))]
      return {
        words: withName(text, all.flatMap((one) => one.addresses).join(', ')),
        sockets: addresses.map((address) => ({ address })),
        port,
      }
    },
  }
}

/** True when a packet's address matches the expectation. */
export function fits(who: Who, socket: SocketAddress | undefined): boolean {
  if (socket === undefined) return false
  if (who.port !== undefined && who.port !== socket.port) return false
  if (who.sockets === undefined) return true
  return who.sockets.some(
    ({ address, port }) => address === socket.address && (port === undefined || port === socket.port),
  )
}

/** The pods of a Service's ready endpoints. */
export function podsBehind(service: Named, names: Names): Named[] {
  const addresses = new Set(endpoints(service).map(({ address }) => address))
  return names.all.filter(
    (one) => one.kind === 'pod' && one.addresses.some((address) => addresses.has(address)),
  )
}

function endpointsOf(service: Named, text: string, port: number | undefined): Who {
  const sockets = endpoints(service)
  const words = `an endpoint of Service ${text} (${sockets.map(socketText).join(', ') || 'it has none'})`
  return { words, sockets, port }
}

function endpoints(service: Named): SocketAddress[] {
  return (service.service?.endpoints ?? []).flatMap((text) => parseSocket(text) ?? [])
}

function withName(text: string, name: string | undefined): string {
  return name === undefined || name === '' || name === text ? text : `${text} (${name})`
}
