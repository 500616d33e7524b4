import { allElements } from '../../netfilter/nft/elements.js'
import { lastAddress, parseNetwork } from '../../net/address.js'
import { familyOf, type IpFamily } from '../../net/ipFamily.js'
import { addressNumber } from '../../net/ranges.js'
import type { Meaning } from '../../agents/meaning.js'
import type { TraceState } from '../../snapshot/model/state.js'

/** Addresses from `first` to `last`, both included, as numbers. */
export interface Interval {
  readonly family: IpFamily
  readonly first: bigint
  readonly last: bigint
}

/** The address ranges that occur in rules, sets and routes: two addresses that the same ones hold are treated alike. */
export interface Constants {
  /** Those of rules that are not for one Service. */
  readonly general: readonly string[]
  /** Those of the rules for a Service, by `namespace/name`. */
  readonly ofServices: ReadonlyMap<string, ReadonlySet<string>>
  /** How the rules for a Service name single addresses, by `namespace/name` and address: equal where they differ in names only. */
  readonly forms: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>
}

/**
 * The constants of states. A rule for a Service is evaluated only for packets to it, so that its ranges cut only the senders to it.
 * Routes to the address of one host are how it is attached: see `formsOf`.
 */
export function constantsOf(states: readonly TraceState[]): Constants {
  const general = new Set<string>()
  const ofServices = new Map<string, Set<string>>()
  const forms = new Map<string, Map<string, Set<string>>>()
  const seen = new Map<string, Set<string>>()
  const add = (text: string, { object }: Meaning) => {
    const service = object?.kind === 'Service' ? `${object.namespace ?? 'default'}/${object.name}` : undefined
    let own = service === undefined ? general : ofServices.get(service)
    if (service !== undefined && own === undefined) ofServices.set(service, (own = new Set()))
    const key = service ?? ''
    const texts = seen.get(key) ?? new Set()
    seen.set(key, texts)
    // nodes have mostly equal rules
    if (own === undefined || texts.has(text)) return
    texts.add(text)
    const ranges = rangesIn(text)
    for (const range of ranges) own.add(range)
    if (service === undefined) return
    const ofService = forms.get(service) ?? new Map<string, Set<string>>()
    forms.set(service, ofService)
    for (const address of new Set(ranges.flatMap((range) => oneAddress(range) ?? [])))
      ofService.set(address, (ofService.get(address) ?? new Set()).add(formOf(text, address)))
  }
  for (const state of states) {
    for (const families of state.rules.values())
      for (const tables of Object.values(families))
        for (const chains of tables.values())
          for (const { rules } of chains.values()) for (const rule of rules) add(rule.spec, rule)
    for (const { tables } of state.nft.values())
      for (const { chains, sets } of tables) {
        for (const { rules } of chains.values()) for (const rule of rules) add(rule.spec, rule)
        for (const { elements, meanings } of sets.values())
          for (const { text, value = '' } of allElements(elements)) {
            const meaning = meanings.get(text) ?? {}
            add(text, meaning)
            if (value !== '') add(value, meaning)
          }
      }
    for (const sets of state.sets?.values() ?? [])
      for (const { entries, meanings } of sets.values())
        for (const entry of entries) add(entry, meanings?.get(entry) ?? {})
    for (const { from = '', to = '' } of state.policies ?? []) add(`${from} ${to}`, {})
    const hosts = new Set(
      state.network.devices.flatMap(({ addresses }) => addresses.map(({ address }) => address)),
    )
    for (const { to } of state.network.routes) if (!hosts.has(oneAddress(to) ?? '')) add(to, {})
  }
  return { general: [...general], ofServices, forms }
}

/** The address to which alone a route leads; undefined for a range. */
export function oneAddress(to: string): string | undefined {
  const [address = '', bits] = to.split('/')
  return bits === undefined || bits === (address.includes(':') ? '128' : '32') ? address : undefined
}

const ipv4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2}|-\d{1,3}(?:\.\d{1,3}){3})?(?![\d.]*\d\.)/g
const ipv6 = /(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:\/\d{1,3}|-[\da-f:]+)?/gi

/** The addresses and ranges in the text of a rule: `10.96.0.0/16`, `10.0.0.1`, `10.0.0.1-10.0.0.9`. */
function rangesIn(text: string): string[] {
  return [
    ...(text.match(ipv4) ?? []),
    ...(text.includes('::') || text.includes(':') ? (text.match(ipv6) ?? []) : []),
  ]
}

/** A text about an address with other addresses, names of chains, shares and positions left out. */
function formOf(text: string, address: string): string {
  const words = text
    .replace(/KUBE-(SEP|SVC|SVL)-\w+/g, 'KUBE-$1')
    .replace(/--probability \S+|-m statistic|--mode random|mod \d+/g, '')
    .replace(/--comment "[^"]*"|comment "[^"]*"|endpoint-\S+/g, '')
    .split(/[,{}]/)
    .map((part) =>
      part
        .replace(/^ *\d+ :/, '')
        .replace(ipv4, (one) => placed(one, address))
        .replace(ipv6, (one) => placed(one, address))
        .trim(),
    )
  return [...new Set(words)].sort().join(', ')
}

function placed(found: string, address: string): string {
  return oneAddress(found) === address ? '@' : '#'
}

/** The interval of a range as rules write it; undefined for other text. */
export function intervalOf(text: string): Interval | undefined {
  const [low = '', high] = text.split('-')
  const network = parseNetwork(low.includes('/') ? low : `${low}/${low.includes(':') ? 128 : 32}`)
  const end = high === undefined ? undefined : parseNetwork(`${high}/${high.includes(':') ? 128 : 32}`)
  if (network === undefined || (high !== undefined && end?.family !== network.family)) return undefined
  const last = addressNumber(end?.base ?? lastAddress(network))
  return { family: network.family, first: addressNumber(network.base), last }
}

/** Addresses that the same ranges hold. */
export interface Atom extends Interval {
  /** Equal for atoms that the same ranges hold. */
  readonly key: string
}

/** All addresses, cut at the ends of ranges. */
export class Cuts {
  readonly #atoms: Readonly<Record<IpFamily, readonly Atom[]>>

  constructor(ranges: Iterable<string>) {
    const all = [...ranges].flatMap((text) => intervalOf(text) ?? [])
    this.#atoms = { IPv4: atomsOf(all, 'IPv4'), IPv6: atomsOf(all, 'IPv6') }
  }

  /** The atoms of a family, by address. */
  atoms(family: IpFamily): readonly Atom[] {
    return this.#atoms[family]
  }

  /** Equal for addresses that the same ranges hold. */
  keyOf(address: string): string {
    const family = familyOf(address)
    const atoms = this.#atoms[family]
    const number = addressNumber(address)
    let [low, high] = [0, atoms.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((atoms[middle]?.first ?? 0n) <= number) low = middle
      else high = middle - 1
    }
    return `${family} ${atoms[low]?.key ?? ''}`
  }
}

const sizes = { IPv4: 1n << 32n, IPv6: 1n << 128n } as const

function atomsOf(all: readonly Interval[], family: IpFamily): Atom[] {
  const own = [
    ...new Map(
      all.filter((one) => one.family === family).map((one) => [`${one.first}-${one.last}`, one]),
    ).values(),
  ]
  const starts = new Map<bigint, number[]>()
  const ends = new Map<bigint, number[]>()
  own.forEach(({ first, last }, index) => {
    starts.set(first, [...(starts.get(first) ?? []), index])
    ends.set(last + 1n, [...(ends.get(last + 1n) ?? []), index])
  })
  const bounds = [...new Set([0n, ...starts.keys(), ...ends.keys()])]
    .filter((bound) => bound < sizes[family])
    .sort((a, b) => (a < b ? -1 : 1))
  const holding = new Set<number>()
  return bounds.map((first, index) => {
    for (const one of ends.get(first) ?? []) holding.delete(one)
    for (const one of starts.get(first) ?? []) holding.add(one)
    const last = (bounds[index + 1] ?? sizes[family]) - 1n
    return { family, first, last, key: [...holding].sort((a, b) => a - b).join(' ') }
  })
}
