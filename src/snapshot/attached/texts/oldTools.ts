import type { Route } from '../../../topology/network.js'
import { interfacesOf, type IpLink } from '../../readings/interfaces.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

interface Reading {
  readonly name: string
  flags: string[]
  mtu: number
  address?: string
  readonly addresses: { family: string; local: string; prefixlen: number; scope: string }[]
}

/** Whether a line is the first one of an interface in `ifconfig`. */
export function beginsInterface(line: string): boolean {
  return /^\S{1,64}: flags=\d+<[A-Z0-9,]*> /.test(line) || /^\S{1,64} {2,12}Link encap:/.test(line)
}

/** Reads `ifconfig -a` of net-tools, of today and before 1.60+git, and of busybox. */
export function readIfconfig(text: CleanText): FormatPart {
  const links: Reading[] = []
  let current: Reading | undefined
  for (const line of text.lines) {
    if (beginsInterface(line)) {
      const [, name = ''] = /^(\S+?):? /.exec(line) ?? []
      const [, flags = ''] = /flags=\d+<([A-Z0-9,]*)>/.exec(line) ?? []
      const [, mac] = /HWaddr (\S+)/.exec(line) ?? []
      const alias = name.indexOf(':')
      const own = links.find((one) => one.name === name.slice(0, alias < 0 ? undefined : alias))
      current = own ?? {
        name,
        flags: flags.split(','),
        mtu: 1500,
        addresses: [],
        ...(mac !== undefined && { address: mac.toLowerCase() }),
      }
      if (own === undefined) links.push(current)
    }
    if (current === undefined) continue
    readDetail(current, line)
  }
  const json = links.map(({ name, flags, mtu, address, addresses }): IpLink => ({
    ...{ ifindex: 0, ifname: name, flags, mtu, addr_info: addresses },
    ...(address !== undefined && { address }),
  }))
  const { links: found, devices } = interfacesOf(undefined, json)
  const lost = [
    'ifconfig does not show what the links are (veth, bridge, vxlan), their numbers, the ports of bridges, and further addresses of IPv4 of an interface',
  ]
  return { links: found, devices, lost, problems: [] }
}

function readDetail(link: Reading, line: string): void {
  const mtu = /\b(?:mtu |MTU:)(\d{1,7})/.exec(line)?.[1]
  if (mtu !== undefined) {
    link.mtu = Number(mtu)
    if (/\bMTU:/.test(line))
      link.flags = line
        .trim()
        .split(/\s+/)
        .filter((word) => /^[A-Z]+$/.test(word))
  }
  const four = /\binet (?:addr:)?([\d.]{7,15})\b.*?(?:netmask |Mask:)([\d.]{7,15})/.exec(line)
  if (four)
    link.addresses.push({
      family: 'inet',
      local: four[1] ?? '',
      prefixlen: bitsOf(four[2] ?? ''),
      scope: 'global',
    })
  const six = /\binet6 (?:addr: )?([0-9a-fA-F:.]{2,45})(?:\/| {1,4}prefixlen )(\d{1,3})/.exec(line)
  if (six) {
    const scope = /<link>|Scope:Link/.test(line) ? 'link' : 'global'
    link.addresses.push({ family: 'inet6', local: six[1] ?? '', prefixlen: Number(six[2]), scope })
  }
  const mac = /\bether ([0-9a-f:]{17})\b/.exec(line)?.[1]
  if (mac !== undefined) link.address = mac
  else if (/^\s+loop /.test(line) || /Link encap:Local Loopback/.test(line))
    link.address = '00:00:00:00:00:00'
}

function bitsOf(mask: string): number {
  return mask.split('.').reduce((bits, part) => bits + Number(part).toString(2).replaceAll('0', '').length, 0)
}

/** Reads `route -n`, `netstat -rn` and `route -A inet6 -n`. */
export function readOldRoutes(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  // netstat -rn has the MSS where route has the metric
  const hasMetric = !text.lines.some((line) => / MSS +Window +irtt /.test(line))
  const routes = text.lines.flatMap((line, index): Route[] => {
    const words = line.trim().split(/\s+/)
    if (words.length < 7 || /^(?:Kernel|Destination)\b/.test(line)) return []
    const route = words[0]?.includes(':') === true ? sixOf(words) : fourOf(words, hasMetric)
    if (route === undefined)
      problems.push({ line: lineAt(text, index), message: `expected a route, found "${line.slice(0, 60)}"` })
    return route === undefined ? [] : [route]
  })
  const lost = [
    ...(hasMetric ? [] : ['netstat -rn shows no metrics of routes']),
    'route -n shows only the table main, one next hop of a route, and no source addresses',
  ]
  return {
    routes: routes.filter(({ to }) => !to.startsWith('fe80:') && !to.startsWith('ff00:')),
    lost,
    problems: capped(problems),
  }
}

function fourOf(words: readonly string[], hasMetric: boolean): Route | undefined {
  const [destination = '', gateway = '', mask = '', flags = '', metric = '0'] = words
  if (!/^(?:[\d.]{7,15}|default)$/.test(destination) || !/^[\d.]{7,15}$/.test(mask)) return undefined
  const bits = bitsOf(mask)
  const to = bits === 0 ? 'default' : bits === 32 ? destination : `${destination}/${bits}`
  const isRejected = flags.includes('!')
  const distance = hasMetric ? Number(metric) : 0
  return {
    ...{ netns: undefined, to: to === 'default' && !flags.includes('G') ? '0.0.0.0/0' : to },
    device: isRejected ? '' : (words.at(-1) ?? ''),
    ...(flags.includes('G') && { via: gateway }),
    ...(isRejected && { kind: 'unreachable' as const }),
    ...(distance > 0 && { metric: distance }),
  }
}

function sixOf(words: readonly string[]): Route | undefined {
  const [destination = '', hop = '', flags = '', metric = '0'] = words
  if (!destination.includes('/')) return undefined
  const isLocal = flags.includes('n') && !flags.includes('!')
  const to = destination.endsWith('/128') ? destination.slice(0, -'/128'.length) : destination
  return {
    ...{ netns: undefined, to: destination === '::/0' && flags.includes('G') ? 'default' : to },
    device: flags.includes('!') ? '' : isLocal ? 'lo' : (words.at(-1) ?? ''),
    ...(flags.includes('G') && { via: hop }),
    ...(flags.includes('!') && { kind: 'unreachable' as const }),
    ...(isLocal && { kind: 'local' as const, table: 'local' }),
    ...(Number(metric) > 0 && { metric: Number(metric) }),
  }
}
