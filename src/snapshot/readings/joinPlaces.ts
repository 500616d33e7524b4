import type { IpFamily } from '../../net/ipFamily.js'
import type { Network } from '../../topology/network.js'
import { fabricPlace, type RuleTables, type TraceState } from '../model/state.js'
import { joinLinks } from './interfaces.js'
import type { ReadPlace } from './readPlace.js'

/** Without these parts of a namespace, no packet is followed through it. */
const deciding = [
  'the forwarding entries',
  'the interfaces',
  'the rules of policy routing',
  'the settings',
  'the rules of ',
]

/** One state of what was read of all namespaces of a lab. */
export function joinPlaces(places: readonly ReadPlace[]): TraceState {
  const named = places.map((place) => ({ ...place, name: place.netns ?? fabricPlace }))
  const byName = <Value>(value: (place: ReadPlace) => Value | undefined): ReadonlyMap<string, Value> =>
    new Map(
      named.flatMap((place) => {
        const own = value(place)
        return own === undefined ? [] : [[place.name, own] as const]
      }),
    )
  const unread = named.flatMap(({ name, unread: own }) => own.map((one) => ({ place: name, ...one })))
  return {
    network: networkOfPlaces(places),
    rules: byName(({ rules }) => (rules && hasRules(rules) ? rules : undefined)),
    nft: byName(({ nft }) => (nft === undefined || nft.order.length === 0 ? undefined : nft)),
    sets: byName(({ sets }) => sets),
    servers: byName(({ servers = [] }) => (servers.length === 0 ? undefined : servers)),
    sysctls: byName(({ sysctls }) => sysctls),
    listeners: named.flatMap(({ name, sockets = [] }) =>
      sockets.map((socket) => ({ netns: name, name: `a program of ${name}`, ...socket })),
    ),
    programs: byName(({ netns, sockets }) =>
      sockets === undefined ? `a program of ${netns ?? fabricPlace}` : undefined,
    ),
    announced: places.flatMap(({ announced = [] }) => announced),
    policies: places.flatMap(({ policies = [] }) => policies),
    connections: places.flatMap(({ connections = [] }) => connections),
    recent: byName(({ recent }) => recent),
    unread,
    opaque: new Map(
      named.flatMap(({ name, unread: own, interfaces, rules }): [string, string][] => {
        const missing = own.find(({ what }) => deciding.some((start) => what.startsWith(start)))
        if (missing !== undefined)
          return [[name, `${missing.what} of ${name} could not be read: ${missing.why}`]]
        const [setting = rules && natOfBoth(rules)] = interfaces?.unknown ?? []
        return setting === undefined ? [] : [[name, `${setting} on ${name}, which is not predicted`]]
      }),
    ),
  }
}

function hasRules(rules: Readonly<Partial<Record<IpFamily, RuleTables>>>): boolean {
  return Object.values(rules).some((tables) => tables.size > 0)
}

/** Which backend’s rules of nat come first is not known, and the first one that applies ends NAT. */
function natOfBoth(rules: Readonly<Partial<Record<IpFamily, RuleTables>>>): string | undefined {
  const used = (tables: RuleTables, name: string) =>
    [...(tables.get(name)?.values() ?? [])].some((chain) => chain.rules.length > 0)
  const isBoth = Object.values(rules).some(
    (tables) => used(tables, 'nat') && ['legacy:nat', 'nft:nat'].some((name) => used(tables, name)),
  )
  return isBoth ? 'both backends of iptables have rules of nat' : undefined
}

function networkOfPlaces(places: readonly ReadPlace[]): Network {
  const all = places.flatMap(({ interfaces }) => interfaces ?? [])
  return {
    links: joinLinks(all),
    devices: all.flatMap(({ devices }) => devices),
    ports: all.flatMap(({ ports }) => ports),
    neighbours: all.flatMap(({ neighbours }) => neighbours),
    routes: all.flatMap(({ routes }) => routes),
    forwarding: places.flatMap(({ forwarding = [] }) => forwarding),
  }
}
