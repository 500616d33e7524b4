// Random rules for `npm run soak -- rules` (scripts/soakRules.ts).
import { addressOfWords, addressWords, parseNetwork } from '../../src/net/address.js'
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { Draw } from '../../test/kernel/randomPackets/draw.js'
import { not, randomMatch, type Place } from '../../test/kernel/randomPackets/foreignMatches.js'
import { randomTarget } from '../../test/kernel/randomPackets/foreignTargets.js'

/** What rules can name. */
export type Around = Pick<Place, 'family' | 'addresses' | 'ports' | 'interfaces'>

/** One rule: a line of iptables-restore with its table, or a rule of nft with its base chain. */
export interface RandomRule {
  readonly table: string
  readonly chain: string
  readonly text: string
}

const hooks: Readonly<Record<string, readonly string[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
  security: ['INPUT', 'FORWARD', 'OUTPUT'],
}

/** Tables that random rules use. */
export const tables: readonly string[] = Object.keys(hooks)

/** Sets that rules look up: type and entries; `some` and `other` are addresses of the lab. */
export function setsText({ family, addresses }: Around): string {
  const [some = '', other = some] = addresses
  const options = `family ${family === 'IPv4' ? 'inet' : 'inet6'}`
  const [wide, narrow] = family === 'IPv4' ? [8, 24] : [16, 112]
  return [
    ...[
      `create soak-ip hash:ip ${options} timeout 3000`,
      `add soak-ip ${some}`,
      `add soak-ip ${other} timeout 0`,
    ],
    ...[
      `create soak-net hash:net ${options}`,
      `add soak-net ${some}/${wide}`,
      `add soak-net ${other}/${narrow} nomatch`,
    ],
    ...[
      `create soak-port hash:ip,port ${options}`,
      `add soak-port ${some},tcp:30080`,
      `add soak-port ${some},udp:29999`,
    ],
    ...['create soak-list list:set', 'add soak-list soak-port', 'add soak-list soak-ip'],
    '',
  ].join('\n')
}

const kinds = [
  ...(['tcp', 'tcp', 'udp', 'multiport', 'icmp', 'icmp6', 'conntrack', 'state', 'mark', 'connmark'] as const),
  ...([
    'addrtype',
    'addrtype',
    'recent',
    'recent',
    'ttl',
    'hl',
    'length',
    'limit',
    'owner',
    'pkttype',
  ] as const),
  ...(['iprange', 'conntrack', 'quota', 'connlimit', 'helper', 'soakSet', 'soakSet'] as const),
]

/** A random rule of iptables. */
export function randomIptablesRule(draw: Draw, around: Around): RandomRule {
  const table = draw.oneOf('raw', 'mangle', 'filter', 'filter', 'nat', 'nat', 'security')
  const hook = draw.oneOf(...(hooks[table] ?? []))
  const protocol = draw.oneOf<Place['protocol']>(undefined, 'tcp', 'tcp', 'udp', 'icmp')
  const place: Place = { ...around, table, hook, protocol }
  const matches: string[] = []
  for (
    let tries = 0, wanted = draw.integer({ min: 0, max: 2 });
    matches.length < wanted && tries < 20;
    tries++
  ) {
    const kind = draw.oneOf(...kinds)
    const text = kind === 'soakSet' ? setMatch(draw) : randomMatch[kind](draw, place)
    if (text !== undefined) matches.push(text)
  }
  const name = protocol === 'icmp' && around.family === 'IPv6' ? 'ipv6-icmp' : protocol
  const text = [
    ...(name === undefined ? [] : [`-p ${name}`]),
    ...matches,
    `-j ${iptablesTarget(draw, place)}`,
  ]
  return { table, chain: hook, text: text.join(' ') }
}

function setMatch(draw: Draw): string {
  const [name, fields] = draw.oneOf(
    ...([
      ['soak-ip', 'src'],
      ['soak-ip', 'dst'],
      ['soak-net', 'src'],
      ['soak-net', 'dst'],
    ] as const),
    ...([
      ['soak-port', 'dst,dst'],
      ['soak-list', 'dst,dst'],
      ['soak-list', 'src'],
    ] as const),
  )
  return `-m set ${not(draw)}--match-set ${name} ${fields}`
}

function iptablesTarget(draw: Draw, place: Place): string {
  const [ttl, option] = place.family === 'IPv4' ? ['TTL', 'ttl'] : ['HL', 'hl']
  const special =
    place.table === 'mangle' ? `${ttl} --${option}-${draw.oneOf('set 1', 'set 2', 'dec 1')}` : undefined
  for (;;) {
    if (place.table === 'raw' && draw.integer({ min: 0, max: 2 }) === 0)
      return randomTarget.CT(draw, place) ?? 'ACCEPT'
    if (place.table === 'nat') {
      const names = [
        'DNAT',
        'DNAT',
        'SNAT',
        'SNAT',
        'MASQUERADE',
        'REDIRECT',
        'NETMAP',
        'ACCEPT',
        'MARK',
      ] as const
      const text = randomTarget[draw.oneOf(...names)](draw, place)
      if (text === undefined) continue
      return text
    }
    const kind = draw.oneOf(
      'DROP',
      'DROP',
      'REJECT',
      'ACCEPT',
      'MARK',
      'CONNMARK',
      'NOTRACK',
      'special',
      'special',
    )
    const text = kind === 'special' ? special : randomTarget[kind as keyof typeof randomTarget](draw, place)
    if (text !== undefined) return text
  }
}

/** Base chains of the random table of nft: name, hook, priority. */
export const nftChains: Readonly<Record<string, string>> = {
  first: 'type filter hook prerouting priority -310',
  pre: 'type filter hook prerouting priority -150',
  raw: 'type filter hook prerouting priority -300',
  nat: 'type nat hook prerouting priority -101',
  natout: 'type nat hook output priority -101',
  natpost: 'type nat hook postrouting priority 99',
  in: 'type filter hook input priority 1',
  forward: 'type filter hook forward priority 1',
  out: 'type filter hook output priority -150',
  post: 'type filter hook postrouting priority 90',
  ingress: 'type filter hook ingress device "eth0" priority 0',
}

/** A random rule of nft, in a table that has a set `seen`. */
export function randomNftRule(draw: Draw, around: Around): RandomRule {
  const { family, addresses, ports } = around
  const chain = draw.oneOf(...Object.keys(nftChains))
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const icmp = family === 'IPv4' ? 'icmp' : 'icmpv6'
  const port = () => draw.oneOf(...ports)
  const match = (): string => {
    const text = anyMatch()
    // interfaces are before connection tracking
    return chain === 'ingress' && text.startsWith('ct ') ? match() : text
  }
  const anyMatch = () =>
    draw.oneOf(
      `${ip} saddr ${draw.oneOf('', '!= ')}${draw.oneOf(...addresses)}`,
      `${ip} daddr { ${draw.oneOf(...addresses)}, ${family === 'IPv4' ? '203.0.113.1' : '2001:db8::7'} }`,
      `tcp dport ${draw.oneOf('', '!= ')}${port()}`,
      `tcp flags ${draw.oneOf('syn', '! ack', '== syn', '!= syn', '& (syn | ack) == ack', 'psh', '{ syn, ack }')}`,
      `th dport ${draw.oneOf('', '!= ')}{ ${port()}, 9 }`,
      `meta l4proto ${draw.oneOf('tcp', 'udp', '{ tcp, udp }', family === 'IPv4' ? 'icmp' : 'ipv6-icmp')}`,
      `${icmp} type ${draw.oneOf('echo-request', 'echo-reply', 'destination-unreachable')}`,
      `ct state ${draw.oneOf('new', 'established', 'related', 'invalid', '!= new', 'new,established', 'untracked')}`,
      `ct direction ${draw.oneOf('original', 'reply')}`,
      `ct status ${draw.oneOf('dnat', 'snat', '! dnat', 'assured', 'confirmed', 'seen-reply')}`,
      `ct protocol ${draw.oneOf('tcp', 'udp')}`,
      `ct original ${ip} ${draw.oneOf('saddr', 'daddr')} ${draw.oneOf('', '!= ')}${draw.oneOf(...addresses)}`,
      `ct reply ${ip} saddr ${draw.oneOf(...addresses)}`,
      `ct zone ${draw.oneOf('0', '1')}`,
      `ct count ${draw.oneOf('over ', '')}${draw.oneOf('0', '100')}`,
      `meta skuid ${draw.oneOf('0', '!= 0', '1000')}`,
      `meta pkttype ${draw.oneOf('host', '!= host', 'broadcast')}`,
      `limit rate ${draw.oneOf('', 'over ')}${draw.oneOf('10/second burst 20 packets', '1/minute burst 1 packets')}`,
      `quota ${draw.oneOf('', 'over ')}${draw.oneOf('10 bytes', '100 mbytes')}`,
      `meta mark ${draw.oneOf('0x0', '0x1', '!= 0x1')}`,
      `fib ${draw.oneOf('daddr', 'saddr')}${draw.oneOf('', '', ' . iif')} type ${draw.oneOf('local', 'unicast', '!= local', 'broadcast', '{ local, unreachable }')}`,
      `${ip} saddr ${draw.oneOf('', '!= ')}@seen`,
      'limit rate over 1/hour burst 1 packets',
      `jhash ${ip} saddr mod 1 0`,
      `numgen inc mod 2 ${draw.oneOf('0', '1')}`,
      `${ip} ${family === 'IPv4' ? 'ttl' : 'hoplimit'} < 3`,
      'meta length < 200',
      `iifname ${draw.oneOf('"eth0"', '!= "eth0"', '"lo"')}`,
    )
  const rejects = chain === 'in' || chain === 'forward' || chain === 'out'
  const action = draw.oneOf(
    ...['drop', 'drop', 'accept', 'counter', 'meta mark set 0x1', `add @seen { ${ip} saddr }`],
    ...(chain.startsWith('nat') ? natActions(draw, chain, around) : []),
    ...(chain === 'raw' || chain === 'first' ? ['notrack', 'ct zone set 1', 'ct original zone set 1'] : []),
    ...(chain.startsWith('nat') || chain === 'ingress'
      ? []
      : [`${ip} ${family === 'IPv4' ? 'ttl' : 'hoplimit'} set ${draw.oneOf('1', '2')}`]),
    ...(rejects
      ? [
          'reject',
          `reject with ${icmp} ${family === 'IPv4' ? 'host-unreachable' : 'addr-unreachable'}`,
          'reject with tcp reset',
        ]
      : []),
  )
  const count = draw.integer({ min: 0, max: 2 })
  const isTcp = /tcp reset|:\d+(-\d+)?( |$)/.test(action)
  const protocol = isTcp ? ['meta l4proto tcp'] : []
  const text = [...protocol, ...Array.from({ length: count }, match), action].join(' ')
  return { table: 'nft', chain, text }
}

function natActions(draw: Draw, chain: string, { family, addresses, ports }: Around): readonly string[] {
  const words = addressWords(draw.oneOf(...addresses))
  const first = addressOfWords(words)
  const last = addressOfWords(words.map((word, index) => (index === words.length - 1 ? word + 3 : word)))
  const port = draw.oneOf(...ports)
  const spread = draw.oneOf(`${port}`, `${port}-${port + 2}`)
  const flag = draw.oneOf('', ' random', ' persistent')
  const host = family === 'IPv4' ? first : `[${first}]`
  const network = parseNetwork(`${first}/${family === 'IPv4' ? 24 : 64}`)?.text ?? ''
  const name = chain === 'natpost' ? 'snat' : 'dnat'
  return [
    `${name} to ${first}`,
    `${name} to ${first}-${last}${draw.oneOf('', ' persistent')}`,
    `${name} to ${host}:${spread}${flag}`,
    `${name} prefix to ${network}`,
    ...(chain === 'natpost'
      ? ['masquerade', `masquerade to :20000-20010${flag}`, 'masquerade random']
      : [`redirect to :${spread}`, 'redirect']),
  ]
}

/** Rules of iptables as input of iptables-restore, for its --noflush; neighbour discovery passes. */
export function restoreText(rules: readonly RandomRule[], family: IpFamily): string {
  return [...Object.entries(hooks)]
    .map(([table, own]) => {
      const neighbours = ['135', '136'].flatMap((type) =>
        own.map((hook) => `-I ${hook} -p ipv6-icmp -m icmp6 --icmpv6-type ${type} -j ACCEPT`),
      )
      const lines = rules
        .filter((rule) => rule.table === table)
        .map(({ chain, text }) => `-I ${chain} ${text}`)
      return [
        `*${table}`,
        ...lines.toReversed(),
        ...(family === 'IPv6' ? neighbours : []),
        'COMMIT',
        '',
      ].join('\n')
    })
    .join('')
}

/** Rules of nft as input of `nft -f`. */
export function nftText(rules: readonly RandomRule[], family: IpFamily): string {
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const discovery =
    family === 'IPv6' ? ['icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept'] : []
  const type = family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr'
  const own = (name: string) => (name === 'ingress' ? 'netdev' : ip)
  return [ip, 'netdev']
    .flatMap((table) => [
      `table ${table} soak {`,
      ` set seen { type ${type}; flags dynamic; size 100; }`,
      ...Object.entries(nftChains).flatMap(([name, hook]) =>
        own(name) !== table || rules.every(({ chain }) => chain !== name)
          ? []
          : [
              ` chain ${name} {`,
              `  ${hook}; policy accept;`,
              ...[...discovery, ...rules.filter(({ chain }) => chain === name).map(({ text }) => text)].map(
                (one) => `  ${one}`,
              ),
              ' }',
            ],
      ),
      '}',
      '',
    ])
    .join('\n')
}
