import type { matches } from '../../../src/netfilter/rules/extensions.js'
import type { IpFamily } from '../../../src/net/ipFamily.js'
import type { TracedProtocol } from '../../../src/snapshot/model/packet.js'
import { somePorts } from './cluster.js'
import type { Draw } from './draw.js'

/** Where a random rule is, and what it can name. */
export interface Place {
  readonly family: IpFamily
  readonly table: string
  /** The built-in chain from which packets come to it. */
  readonly hook: string
  readonly protocol: TracedProtocol | undefined
  readonly addresses: readonly string[]
  readonly ports: readonly number[]
  readonly interfaces: readonly string[]
}

/** A match as text; undefined where the kernel does not accept it. */
type RandomMatch = (draw: Draw, place: Place) => string | undefined

/** `!` in a third of the cases. */
export function not(draw: Draw): string {
  return draw.oneOf('', '', '! ')
}

/** An address of the cluster, or a range around one. */
export function range(draw: Draw, { addresses, family }: Place): string {
  const lengths = family === 'IPv4' ? [8, 16, 24, 30, 32] : [16, 64, 112, 126, 128]
  return `${draw.oneOf(...addresses)}/${draw.oneOf(...lengths)}`
}

const ports: (name: 'tcp' | 'udp' | 'sctp') => RandomMatch = (name) => (draw, place) => {
  if (place.protocol !== name) return undefined
  const side = draw.oneOf('--dport', '--dport', '--sport')
  return `-m ${name} ${not(draw)}${side} ${side === '--dport' ? portRange(draw, place) : '32768:50000'}`
}

function portRange(draw: Draw, place: Place): string {
  const port = draw.oneOf(...place.ports)
  return draw.oneOf(`${port}`, `${port}:${port + 100}`, '0:1023', '1024:65535')
}

const marks = ['0x1', '0x0/0x4000', '0x4000/0x4000', '0x10/0xf0', '0x0']
const noPlace: RandomMatch = () => undefined
const on =
  (hooks: readonly string[], text: RandomMatch): RandomMatch =>
  (draw, place) =>
    hooks.includes(place.hook) ? text(draw, place) : undefined

/** A random use of every match that the parser knows. */
export const randomMatch: Readonly<Record<keyof typeof matches, RandomMatch>> = {
  tcp: (draw, place) => {
    if (place.protocol !== 'tcp') return undefined
    const flags = draw.oneOf('SYN,ACK SYN', 'FIN,SYN,RST,ACK SYN', 'SYN,RST SYN,RST', 'ACK ACK')
    return draw.oneOf(true, true, false)
      ? ports('tcp')(draw, place)
      : draw.oneOf(`-m tcp ${not(draw)}--tcp-flags ${flags}`, `-m tcp ${not(draw)}--tcp-option 2`)
  },
  udp: ports('udp'),
  sctp: (draw, place) => {
    if (place.protocol !== 'sctp') return undefined
    return draw.oneOf(true, false) ? ports('sctp')(draw, place) : `-m sctp ${not(draw)}--chunk-types any INIT`
  },
  // no packet has this protocol
  dccp: (draw, { protocol }) =>
    protocol === undefined ? `-p dccp -m dccp ${not(draw)}--dport ${draw.oneOf(...somePorts)}` : undefined,
  icmp: (draw, { protocol, family }) =>
    protocol === 'icmp' && family === 'IPv4'
      ? `-m icmp ${not(draw)}--icmp-type ${draw.oneOf('8', '0', 'any', '3/3', '8/0')}`
      : undefined,
  icmp6: (draw, { protocol, family }) =>
    protocol === 'icmp' && family === 'IPv6'
      ? `-m icmp6 ${not(draw)}--icmpv6-type ${draw.oneOf('128', '129', '1/4', '128/0')}`
      : undefined,
  multiport: (draw, place) => {
    if (place.protocol === undefined || place.protocol === 'icmp') return undefined
    const side = draw.oneOf('--dports', '--dports', '--ports', '--sports')
    return `-m multiport ${not(draw)}${side} ${portRange(draw, place)},${portRange(draw, place)}`
  },
  tcpmss: (_, { protocol }) =>
    protocol === 'tcp' ? '-m tcp --tcp-flags SYN,RST SYN -m tcpmss --mss 500:1500' : undefined,
  conntrack: (draw, place) => {
    const field = draw.oneOf('ctstate', 'ctstate', 'ctstate', 'ctdir', 'address', 'other')
    if (field === 'ctdir') return `-m conntrack --ctdir ${draw.oneOf('ORIGINAL', 'REPLY')}`
    if (field === 'address') {
      const side = draw.oneOf('ctorigsrc', 'ctorigdst', 'ctreplsrc', 'ctrepldst')
      return `-m conntrack ${not(draw)}--${side} ${range(draw, place)}`
    }
    const ports = place.protocol === 'tcp' ? [`--ctorigdstport ${portRange(draw, place)}`] : []
    const other = ['--ctproto 6', '--ctstatus ASSURED', '--ctstatus EXPECTED,SEEN_REPLY', '--ctexpire 0:600']
    if (field === 'other') return `-m conntrack ${not(draw)}${draw.oneOf(...other, ...ports)}`
    return `-m conntrack ${not(draw)}--ctstate ${states(draw, ['DNAT', 'SNAT'])}`
  },
  state: (draw) => `-m state ${not(draw)}--state ${states(draw, [])}`,
  mark: (draw) => `-m mark ${not(draw)}--mark ${draw.oneOf(...marks)}`,
  connmark: (draw) => `-m connmark ${not(draw)}--mark ${draw.oneOf(...marks)}`,
  helper: (draw) => `-m helper ${not(draw)}--helper ftp`,
  // few kernels have IPVS
  ipvs: noPlace,
  statistic: (draw) =>
    draw.oneOf(
      ...['0.5', '0.25', '0.9', '0.01'].map((part) => `-m statistic --mode random --probability ${part}`),
      `-m statistic --mode random ! --probability 0.3`,
      '-m statistic --mode nth --every 3 --packet 1',
    ),
  quota: (draw) => `-m quota ${not(draw)}--quota ${draw.oneOf('10', '100000')}`,
  connlimit: (draw) =>
    `-m connlimit ${draw.oneOf('--connlimit-above 0', '--connlimit-above 100', '--connlimit-upto 0')} --connlimit-mask 32 --connlimit-saddr`,
  limit: (draw) => `-m limit --limit ${draw.oneOf('5/min', '100/sec')} --limit-burst 3`,
  hashlimit: (draw) =>
    `-m hashlimit --hashlimit-upto 5/min --hashlimit-mode ${draw.oneOf('srcip', 'dstip')} --hashlimit-name some`,
  recent: (draw) => {
    const kind = draw.oneOf('--set', '--rcheck --seconds 60', '--update --hitcount 3', '--remove')
    return `-m recent ${not(draw)}${kind} --name LIST-${draw.oneOf('A', 'B')} --rsource`
  },
  set: (draw, { family }) => `-m set ${not(draw)}--match-set some-${family} ${draw.oneOf('src', 'dst')}`,
  nfacct: () => '-m nfacct --nfacct-name some',
  addrtype: (draw, { hook, family }) => {
    const types = draw.oneOf(
      'LOCAL',
      'UNICAST',
      'LOCAL',
      'MULTICAST',
      family === 'IPv4' ? 'BROADCAST,LOCAL' : 'ANYCAST,LOCAL',
    )
    const type = `${not(draw)}${draw.oneOf('--dst-type', '--src-type')} ${types}`
    const limits = ['PREROUTING', 'INPUT'].includes(hook) ? [' --limit-iface-in', ''] : ['']
    return `-m addrtype ${type}${draw.oneOf(...limits)}`
  },
  iprange: (draw, { addresses }) => {
    const [first = '', last = ''] = [draw.oneOf(...addresses), draw.oneOf(...addresses)].sort((a, b) =>
      BigInt(`0x${hexOf(a)}`) < BigInt(`0x${hexOf(b)}`) ? -1 : 1,
    )
    return `-m iprange ${not(draw)}${draw.oneOf('--src-range', '--dst-range')} ${first}-${last}`
  },
  physdev: on(['FORWARD', 'POSTROUTING'], (draw) => `-m physdev ${not(draw)}--physdev-is-bridged`),
  mac: on(['PREROUTING', 'INPUT', 'FORWARD'], (draw) => `-m mac ${not(draw)}--mac-source 02:00:00:00:00:01`),
  pkttype: (draw) => `-m pkttype ${not(draw)}--pkt-type ${draw.oneOf('unicast', 'broadcast', 'multicast')}`,
  length: (draw) => `-m length ${not(draw)}--length ${draw.oneOf('0:100', '100:65535', '72')}`,
  ttl: (draw, { family }) =>
    family === 'IPv4' ? `-m ttl ${draw.oneOf('--ttl-gt 10', '--ttl-eq 64', '--ttl-lt 64')}` : undefined,
  hl: (draw, { family }) =>
    family === 'IPv6' ? `-m hl ${draw.oneOf('--hl-gt 10', '--hl-eq 64', '--hl-lt 64')}` : undefined,
  rt: (draw, { family }) => (family === 'IPv6' ? `-m rt ${not(draw)}--rt-type 0` : undefined),
  rpfilter: on(['PREROUTING'], (draw, { table }) =>
    ['raw', 'mangle'].includes(table)
      ? `-m rpfilter ${draw.oneOf('', '--loose', '--invert', '--validmark --loose')}`.trim()
      : undefined,
  ),
  owner: on(
    ['OUTPUT', 'POSTROUTING'],
    (draw) =>
      `-m owner ${draw.oneOf(`${not(draw)}--uid-owner ${draw.oneOf('0', '1000', '5-10')}`, `${not(draw)}--gid-owner 0`, `${not(draw)}--socket-exists`)}`,
  ),
  policy: (draw, { hook }) => {
    const direction = ['OUTPUT', 'POSTROUTING'].includes(hook) ? 'out' : 'in'
    return `-m policy --dir ${direction} --pol ${draw.oneOf('none', 'ipsec')}`
  },
  u32: (draw) => `-m u32 --u32 "${draw.oneOf('0x0&0xf0000000=0x40000000', '0x0>>0x1c=0x6')}"`,
  comment: (draw) => `-m comment --comment "number ${draw.integer({ min: 0, max: 9 })}"`,
}

/** A match that the parser does not know. */
export function unknownMatch(draw: Draw): string {
  return draw.oneOf('-m time --timestart 00:00 --timestop 12:00', '-m dscp --dscp 0x00', '-m cpu --cpu 0')
}

function states(draw: Draw, more: readonly string[]): string {
  const all = ['NEW', 'ESTABLISHED', 'RELATED', 'INVALID', 'UNTRACKED', ...more]
  return [...new Set([draw.oneOf(...all), draw.oneOf(...all)])].join(',')
}

function hexOf(address: string): string {
  if (!address.includes(':'))
    return address
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')
  const [left = '', right = ''] = address
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
    .map((words) => words.map((word) => word.padStart(4, '0')).join(''))
  return address.includes('::') ? left + '0'.repeat(32 - left.length - right.length) + right : left
}
