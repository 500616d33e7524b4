import type { LinkEnd } from '../../topology/network.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { fabricPlace, type PolicyRule, type TraceState } from '../../snapshot/model/state.js'
import { routeCommand } from './routeCommand.js'

/** The state after `ip route`, `ip rule` or `ip link set … mtu`; undefined for other commands and options of ip. */
export function ipCommand(
  state: TraceState,
  place: string,
  given: readonly string[],
): TraceState | undefined {
  const family = given.includes('-6') ? 'IPv6' : 'IPv4'
  const words = given.filter((word) => !['-4', '-6'].includes(word))
  const [object = '', verb = '', ...rest] = words
  if (place === fabricPlace) return undefined
  if ('link'.startsWith(object) && verb === 'set') return linkCommand(state, place, rest)
  if ('rule'.startsWith(object) && object.startsWith('ru'))
    return ruleCommand(state, { place, family }, verb, rest)
  return routeCommand(state, place, words)
}

function linkCommand(state: TraceState, place: string, words: readonly string[]): TraceState | undefined {
  const [name, key, value, ...rest] = words.filter((word) => word !== 'dev')
  const mtu = Number(value)
  if (name === undefined || key !== 'mtu' || !Number.isInteger(mtu) || rest.length > 0) return undefined
  return withMtu(state, place, name, mtu)
}

/** The state with another MTU of an interface, in bytes; undefined if there is no such interface. */
export function withMtu(state: TraceState, place: string, name: string, mtu: number): TraceState | undefined {
  const isOwn = (one: LinkEnd) => (one.netns ?? fabricPlace) === place && one.name === name
  const { links } = state.network
  const known = links.some((one) => isOwn(one) || (one.type.kind === 'veth' && isOwn(one.type.peer)))
  const changed = links.map(({ type, ...link }) => ({
    ...(isOwn(link) ? { ...link, mtu } : link),
    type: type.kind === 'veth' && isOwn(type.peer) ? { ...type, peer: { ...type.peer, mtu } } : type,
  }))
  return known ? { ...state, network: { ...state.network, links: changed } } : undefined
}

/** The priority of the first rule that is added without one. */
const firstPriority = 32_765

function ruleCommand(
  state: TraceState,
  { place, family }: { readonly place: string; readonly family: IpFamily },
  verb: string,
  words: readonly string[],
): TraceState | undefined {
  const options = new Map<string, string>()
  for (let index = 0; index + 1 < words.length; index += 2)
    options.set(words[index] ?? '', words[index + 1] ?? '')
  const of = (...names: string[]) => names.map((name) => options.get(name)).find((one) => one !== undefined)
  const known = ['from', 'to', 'iif', 'fwmark', 'lookup', 'table', 'priority', 'pref', 'prio']
  if (words.length % 2 > 0 || [...options.keys()].some((name) => !known.includes(name))) return undefined
  const policies = state.policies ?? []
  const own = policies.filter(({ netns }) => netns === place)
  const priority = of('priority', 'pref', 'prio')
  if (verb === 'del') {
    const gone = own.find((one) => one.priority === Number(priority))
    return gone && { ...state, policies: policies.filter((one) => one !== gone) }
  }
  const table = of('lookup', 'table')
  if (verb !== 'add' || table === undefined) return undefined
  const [value, mask = '0xffffffff'] = of('fwmark')?.split('/') ?? []
  const range = (text: string | undefined) => (text === 'all' || text === 'default' ? undefined : text)
  const rule: PolicyRule = {
    ...{ netns: place, family, table, iif: of('iif'), from: range(of('from')), to: range(of('to')) },
    priority:
      priority === undefined
        ? Math.min(firstPriority + 1, ...own.map((one) => one.priority)) - 1
        : Number(priority),
    mark: value === undefined ? undefined : { value: Number(value), mask: Number(mask) },
  }
  return { ...state, policies: [...policies, rule] }
}
