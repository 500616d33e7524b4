import {
  forwardingOf,
  interfacesOf,
  neighboursOf,
  policiesOf,
  routesOf,
  type BridgeFdb,
  type IpLink,
  type IpNeighbour,
  type IpRoute,
  type IpRule,
} from '../../readings/interfaces.js'
import type { CleanText, FormatPart } from './model.js'

type Item = Readonly<Record<string, unknown>>

/** Whether a JSON text is one of ip(8), bridge(8) or nft(8); its first characters are enough. */
export function beginsJson(line: string): boolean {
  return /^\s{0,8}\[\s{0,8}(?:\{\s{0,8}(?:\}\s{0,8},\s{0,8}\{\s{0,8})*"(?:ifindex|ifname|dst|type|priority|mac|not|src)":|\{\s{0,8}$|$)/.test(
    line,
  )
}

/** Reads what `ip -j` and `bridge -j` print: links and addresses, routes, rules, neighbours, forwarding entries. */
export function readIpJson(text: CleanText): FormatPart | undefined {
  const items = itemsOf(text)
  const [first] = items
  if (first === undefined) return undefined
  const has = (key: string) => items.some((item) => key in item)
  const none = { lost: [], problems: [] }
  if (has('ifindex')) return { ...readLinks(items), problems: [] }
  if (has('priority')) {
    const rules = items as unknown as readonly IpRule[]
    const isSix = rules.some(({ src = '', dst = '' }) => src.includes(':') || dst.includes(':'))
    const family = isSix ? 'IPv6' : (text.hints.family ?? 'IPv4')
    return { ...none, format: 'ip -j rule', policies: policiesOf('', family, rules) }
  }
  if (has('mac') && has('ifname'))
    return {
      ...none,
      format: 'bridge -j fdb',
      forwarding: forwardingOf('', items as unknown as readonly BridgeFdb[]),
    }
  if (has('lladdr') || (has('state') && has('dst')))
    return {
      ...none,
      format: 'ip -j neigh',
      neighbours: neighboursOf(undefined, items as unknown as IpNeighbour[]),
    }
  if (!has('dst')) return undefined
  const routes = items as unknown as readonly IpRoute[]
  const given = text.hints.table === 'all' ? undefined : text.hints.table
  const own = given === undefined ? routes : routes.map((route) => ({ table: given, ...route }))
  const isAll = routes.some(({ table }) => table !== undefined)
  const lost = isAll ? [] : [`only the table ${given ?? 'main'} is shown`]
  return { ...none, format: 'ip -j route', routes: routesOf(undefined, own), lost }
}

function itemsOf({ lines }: CleanText): readonly Item[] {
  const all = JSON.parse(lines.join('\n')) as unknown
  if (!Array.isArray(all)) return []
  // `ip -j addr show eth0` of iproute2 before 6 has empty objects
  return (all as readonly unknown[]).filter(
    (item): item is Item => typeof item === 'object' && item !== null && Object.keys(item).length > 0,
  )
}

function readLinks(items: readonly Item[]): Omit<FormatPart, 'problems'> {
  const hasAddresses = items.some((item) => 'addr_info' in item)
  const links = items.map((item) => ({ flags: [], addr_info: [], mtu: 1500, ...item }) as unknown as IpLink)
  const isDetailed = items.some((item) => 'linkinfo' in item || 'promiscuity' in item)
  const found = interfacesOf(undefined, links)
  return {
    format: hasAddresses ? 'ip -j addr' : 'ip -j link',
    links: found.links,
    ...(hasAddresses && { devices: found.devices }),
    ...(isDetailed && { ports: found.ports }),
    ...(found.unknown.length > 0 && { unknown: found.unknown }),
    lost: [
      ...(isDetailed
        ? []
        : [
            'without -d, ip does not show what the links are (veth, bridge, vxlan), nor the ports of bridges',
          ]),
      ...(hasAddresses ? [] : ['ip link shows no addresses']),
    ],
  }
}
