// Random rules for `npm run soak -- rules` (scripts/soakRules.ts).
import type { IpFamily } from '../../src/net/ipFamily.js'
import type { Draw } from '../../test/kernel/randomPackets/draw.js'
import { randomMatch, type Place } from '../../test/kernel/randomPackets/foreignMatches.js'
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
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

const kinds = [
  ...(['tcp', 'tcp', 'udp', 'multiport', 'icmp', 'icmp6', 'conntrack', 'state', 'mark', 'connmark'] as const),
  ...(['addrtype', 'recent', 'recent', 'ttl', 'hl', 'length', 'limit', 'owner', 'pkttype'] as const),
]

/** A random rule of iptables. */
export function randomIptablesRule(draw: Draw, around: Around): RandomRule {
  const table = draw.oneOf('raw', 'mangle', 'filter', 'filter')
  const hook = draw.oneOf(...(hooks[table] ?? []))
  const protocol = draw.oneOf<Place['protocol']>(undefined, 'tcp', 'tcp', 'udp', 'icmp')
  const place: Place = { ...around, table, hook, protocol }
  const matches: string[] = []
  for (
    let tries = 0, wanted = draw.integer({ min: 0, max: 2 });
    matches.length < wanted && tries < 20;
    tries++
  ) {
    const text = randomMatch[draw.oneOf(...kinds)](draw, place)
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

function iptablesTarget(draw: Draw, place: Place): string {
  const [ttl, option] = place.family === 'IPv4' ? ['TTL', 'ttl'] : ['HL', 'hl']
  const special =
    place.table === 'mangle' ? `${ttl} --${option}-${draw.oneOf('set 1', 'set 2', 'dec 1')}` : undefined
  for (;;) {
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
  nat: 'type nat hook prerouting priority -101',
  in: 'type filter hook input priority 1',
  forward: 'type filter hook forward priority 1',
  out: 'type filter hook output priority -150',
  post: 'type filter hook postrouting priority 90',
}

/** A random rule of nft, in a table that has a set `seen`. */
export function randomNftRule(draw: Draw, { family, addresses, ports }: Around): RandomRule {
  const chain = draw.oneOf(...Object.keys(nftChains))
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const icmp = family === 'IPv4' ? 'icmp' : 'icmpv6'
  const port = () => draw.oneOf(...ports)
  const match = () =>
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
      `ct status ${draw.oneOf('dnat', 'snat', '! dnat')}`,
      `meta mark ${draw.oneOf('0x0', '0x1', '!= 0x1')}`,
      `fib daddr type ${draw.oneOf('local', 'unicast')}`,
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
    ...(chain === 'nat' ? ['drop', `redirect to :${port()}`] : ['notrack']),
    ...(chain === 'nat'
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
  const protocol = action.startsWith('redirect') || action.endsWith('tcp reset') ? ['meta l4proto tcp'] : []
  const text = [...protocol, ...Array.from({ length: count }, match), action].join(' ')
  return { table: 'nft', chain, text }
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
  const used = Object.entries(nftChains).filter(([name]) => rules.some(({ chain }) => chain === name))
  return [
    `table ${ip} soak {`,
    ` set seen { type ${family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr'}; flags dynamic; size 100; }`,
    ...used.flatMap(([name, hook]) => [
      ` chain ${name} {`,
      `  ${hook}; policy accept;`,
      ...[...discovery, ...rules.filter(({ chain }) => chain === name).map(({ text }) => text)].map(
        (one) => `  ${one}`,
      ),
      ' }',
    ]),
    '}',
    '',
  ].join('\n')
}
