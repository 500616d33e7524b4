import { interfacesOf, type IpLink, type ListedLink } from '../../readings/interfaces.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

/** A link while its lines are read, in the form of `ip -j -d addr`. */
interface Reading {
  index: number
  name: string
  /** What follows `@` in its name. */
  other: string | undefined
  flags: string[]
  mtu: number
  address?: string
  master?: string | undefined
  namespace?: number
  kind?: string
  data: Record<string, unknown>
  slave?: { kind: string; data: Record<string, unknown> }
  /** Whether lines of `ip -d` were there. */
  detailed: boolean
  addresses: {
    family: string
    local: string
    prefixlen: number
    scope: string
    tentative?: boolean
    dadfailed?: boolean
  }[]
}

export const linkHead =
  /^(\d{1,9}): ([^\s:@<]{1,64}(?:[.:][^\s@<]{1,64})?)(?:@([^\s:]{1,64}))?: <([A-Z0-9,_-]*)> /

/** Whether a line is of `ip -o addr`. */
export function isOneLine(line: string): boolean {
  return /^\d{1,9}: \S{1,64} {2,10}inet6? \S{3,50}\/\d{1,3} /.test(line)
}

const brief =
  /^([^\s@]{1,64})(?:@\S{1,64})? {1,30}(UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT|NOTPRESENT) {1,20}([0-9a-f.:]{2,45}\/\d{1,3}.*)$/

/** An interface without addresses in `ip -br addr`. */
const withoutAddress = /^\S{1,64} {1,30}(?:UP|DOWN|UNKNOWN|LOWERLAYERDOWN|DORMANT|NOTPRESENT)\s*$/

/** Whether a line is of `ip -br addr`, of an interface with addresses. */
export function isBrief(line: string): boolean {
  return brief.test(line)
}

/** A line of `ip -br addr` as the lines of `ip addr`. */
function ofBrief(line: string): readonly string[] {
  const [, name = '', state = '', addresses = ''] = brief.exec(line) ?? []
  if (name === '') return [line]
  return addresses
    .split(/\s+/)
    .filter((address) => address.includes('/'))
    .map((address) => {
      const scope = address.startsWith('fe80:') ? 'link' : 'global'
      const flags = state === 'DOWN' ? ' down' : ''
      return `0: ${name}    ${address.includes(':') ? 'inet6' : 'inet'} ${address} scope ${scope} ${name}${flags}`
    })
}

/**
 * Reads `ip addr`, `ip link` and `bridge link`, with `-d`, `-s` or not, and `ip -o addr`. Without `-d`, what links are is only known
 * where the text shows it: ends of one veth that name each other, and bridges that have ports.
 */
export function readLinkText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const links: Reading[] = []
  let current: Reading | undefined
  let isBridgeLink = false
  text.lines.forEach((raw, index) => {
    for (const line of isBrief(raw) ? ofBrief(raw) : raw.split('\\')) {
      const head = linkHead.exec(line)
      const short = head ? null : /^(\d{1,9}): (\S{1,64})\s{1,10}(inet6?) /.exec(line)
      if (head) {
        current = headOf(head, line)
        isBridgeLink ||= / state (?:forwarding|disabled|blocking|listening|learning) priority /.test(line)
        links.push(current)
      } else if (short) {
        current =
          links.find(({ name }) => name === short[2]) ?? shortLink(short, links, !line.endsWith(' down'))
        readDetail(
          current,
          line
            .slice(line.indexOf(short[3] ?? ''))
            .trim()
            .split(/\s+/),
        )
      } else if (line.trim() !== '' && /^\s/.test(line) && current)
        readDetail(current, line.trim().split(/\s+/))
      else if (line.trim() !== '' && !withoutAddress.test(line))
        problems.push({
          line: lineAt(text, index),
          message: `expected an interface, found "${line.slice(0, 60)}"`,
        })
    }
  })
  return { ...(isBridgeLink ? portsOf(links) : partOf(links)), problems: capped(problems) }
}

function headOf([, index, name = '', other, flags = '']: RegExpExecArray, line: string): Reading {
  const words = line.split(/\s+/)
  const after = (word: string) => {
    const at = words.indexOf(word)
    return at < 0 ? undefined : words[at + 1]
  }
  const state = after('state') ?? ''
  const port = /^(?:forwarding|disabled|blocking|listening|learning)$/.test(state)
  return {
    ...{ index: Number(index), name, other, flags: flags.split(','), mtu: Number(after('mtu') ?? 1500) },
    ...{ master: after('master'), data: {}, detailed: false, addresses: [] },
    ...(port && { slave: { kind: 'bridge', data: { state } } }),
  }
}

/** `ip -o addr` and `ip -4 -o addr` print no flags: an interface with addresses is taken for one that is up. */
function shortLink([, index, name = '']: RegExpExecArray, links: Reading[], isUp: boolean): Reading {
  const link = {
    index: Number(index),
    name,
    other: undefined,
    flags: isUp ? ['UP', 'short'] : ['short'],
    mtu: 1500,
    data: {},
    detailed: false,
    addresses: [],
  }
  links.push(link)
  return link
}

const kinds = new Set([
  ...[
    'veth',
    'bridge',
    'vxlan',
    'vlan',
    'macvlan',
    'ipvlan',
    'dummy',
    'bond',
    'vrf',
    'tun',
    'ipip',
    'sit',
    'gre',
    'gretap',
  ],
  ...[
    'wireguard',
    'geneve',
    'ifb',
    'team',
    'openvswitch',
    'macvtap',
    'ip6tnl',
    'vti',
    'nlmon',
    'netkit',
    'ip6gre',
    'vcan',
  ],
])

function readDetail(link: Reading, words: readonly string[]): void {
  const [first = '', second = ''] = words
  const after = (word: string) => {
    const at = words.indexOf(word)
    return at < 0 ? undefined : words[at + 1]
  }
  if (first.startsWith('link/')) {
    if (first !== 'link/none') link.address = second
    const number = after('link-netnsid')
    if (number !== undefined) link.namespace = Number(number)
    // a namespace that has a name is another one too
    else if (words.includes('link-netns')) link.namespace = -1
    if (words.includes('promiscuity')) link.detailed = true
    return
  }
  if (first === 'inet' || first === 'inet6') {
    const at = second.lastIndexOf('/')
    const isPeer = words[2] === 'peer'
    link.addresses.push({
      ...{ family: first, local: at < 0 ? second : second.slice(0, at), scope: after('scope') ?? 'global' },
      prefixlen: Number((isPeer ? (words[3] ?? '') : second).split('/')[1] ?? (first === 'inet' ? 32 : 128)),
      ...(words.includes('tentative') && { tentative: true }),
      ...(words.includes('dadfailed') && { dadfailed: true }),
    })
    return
  }
  if (first.endsWith('_slave') || first === 'hairpin') {
    const own = {
      kind: first === 'hairpin' ? 'bridge' : first.slice(0, -'_slave'.length),
      data: settings(words),
    }
    link.slave = { kind: own.kind, data: { ...link.slave?.data, ...own.data } }
    link.detailed = true
    return
  }
  if (!kinds.has(first)) return
  link.kind = first
  link.detailed = true
  link.data = first === 'vxlan' ? vxlan(after) : { vlan_filtering: Number(after('vlan_filtering') ?? 0) }
}

function vxlan(after: (word: string) => string | undefined): Record<string, unknown> {
  return {
    id: Number(after('id')),
    local: after('local') ?? '',
    link: after('dev') ?? '',
    port: Number(after('dstport')),
  }
}

/** `hairpin on isolated off` as JSON has it. */
function settings(words: readonly string[]): Record<string, unknown> {
  const after = (name: string) => words[words.indexOf(name) + 1]
  const isOn = (name: string) => (words.includes(name) ? { [name]: after(name) === 'on' } : {})
  const state = words.includes('state') ? { state: after('state') } : {}
  return { ...state, ...isOn('hairpin'), ...isOn('isolated'), ...isOn('learning'), ...isOn('flood') }
}

function asJson(link: Reading, links: readonly Reading[]): IpLink {
  const { index, name, other, flags, mtu, address, master, namespace, kind, data, slave } = link
  const peer = peerIndex(link, links)
  return {
    ...{ ifindex: index, ifname: name, flags, mtu, addr_info: link.addresses },
    ...(address !== undefined && { address }),
    ...(master !== undefined && { master }),
    ...(peer !== undefined && { link_index: peer }),
    ...(namespace !== undefined && { link_netnsid: namespace }),
    ...(other !== undefined && !/^if\d+$/.test(other) && kind !== 'vxlan' && { link: other }),
    linkinfo: {
      ...(kind !== undefined && { info_kind: kind, info_data: data }),
      ...(slave && { info_slave_kind: slave.kind, info_slave_data: slave.data }),
    },
  }
}

function peerIndex({ other }: Reading, links: readonly Reading[]): number | undefined {
  const number = /^if(\d{1,9})$/.exec(other ?? '')?.[1]
  if (number !== undefined) return Number(number)
  return links.find(({ name }) => name === other)?.index
}

/** Both ends of a veth name each other. */
function isVeth(link: Reading, links: readonly Reading[]): boolean {
  const peer = links.find(({ name, index }) => name === link.other || link.other === `if${index}`)
  return peer !== undefined && peer !== link && (peer.other === link.name || peer.other === `if${link.index}`)
}

function partOf(links: readonly Reading[]): Omit<FormatPart, 'problems'> {
  const isDetailed = links.some(({ detailed }) => detailed)
  const bridges = new Set(
    links.flatMap(({ master, flags }) => (master === undefined || flags.includes('SLAVE') ? [] : [master])),
  )
  const masters = new Set(links.filter(({ flags }) => flags.includes('MASTER')).map(({ name }) => name))
  const inferred = isDetailed
    ? links
    : links.map((link): Reading => {
        const isBridge = bridges.has(link.name) && !masters.has(link.name) && link.name !== 'ovs-system'
        const kind = isBridge
          ? 'bridge'
          : link.namespace === undefined && isVeth(link, links)
            ? 'veth'
            : undefined
        const isPort = link.master !== undefined && bridges.has(link.master) && !masters.has(link.master)
        const slave =
          isPort && link.master !== 'ovs-system'
            ? { kind: 'bridge', data: { state: 'forwarding' } }
            : undefined
        return { ...link, ...(kind !== undefined && { kind }), ...(slave && { slave }) }
      })
  const found = interfacesOf(
    undefined,
    inferred.map((link) => asJson(link, links)),
  )
  const hasAddresses = links.some(({ addresses }) => addresses.length > 0)
  const isShort = links.some(({ flags }) => flags.includes('short'))
  const lost = [
    ...(isDetailed
      ? []
      : [
          'without -d, ip does not show what the links are (veth, bridge, vxlan), nor the settings of ports of bridges, such as hairpin',
        ]),
    ...(isShort
      ? ['ip -o addr and ip -br addr show only interfaces that have addresses, and no MTU or MAC address']
      : []),
    ...(hasAddresses ? [] : ['ip link shows no addresses']),
  ]
  return {
    format: isShort ? 'ip -o addr' : hasAddresses ? 'ip addr' : 'ip link',
    links: found.links.map((link, at) => withPeer(link, links[at], links)),
    ...(hasAddresses && { devices: found.devices }),
    ports: isDetailed
      ? found.ports
      : found.ports.map(({ hairpin: _, ...port }) => ({ ...port, hairpin: undefined })),
    ...(found.unknown.length > 0 && { unknown: found.unknown }),
    lost,
  }
}

/** The other end, also where the kind is not shown. */
function withPeer(link: ListedLink, read: Reading | undefined, links: readonly Reading[]): ListedLink {
  if (read === undefined || read.detailed || link.peer !== undefined || read.namespace === undefined)
    return link
  const index = peerIndex(read, links)
  return index === undefined ? link : { ...link, peer: { index, namespace: read.namespace } }
}

function portsOf(links: readonly Reading[]): Omit<FormatPart, 'problems'> {
  const isDetailed = links.some(({ detailed }) => detailed)
  const { ports } = interfacesOf(
    undefined,
    links.map((link) => asJson({ ...link, addresses: [] }, links)),
  )
  return {
    format: 'bridge link',
    ports: isDetailed ? ports : ports.map(({ hairpin: _, ...port }) => ({ ...port, hairpin: undefined })),
    lost: isDetailed ? [] : ['bridge link without -d does not show hairpin'],
  }
}
