import type { TracedProtocol } from '../../../src/snapshot/model/packet.js'
import type { Draw } from './draw.js'
import { not, randomMatch, range, unknownMatch, type Place } from './foreignMatches.js'
import { randomTarget, unknownTarget } from './foreignTargets.js'

/** What random rules of a node can name. */
export type Surroundings = Omit<Place, 'table' | 'hook' | 'protocol'>

const hooksOf: Readonly<Record<string, readonly string[]>> = {
  raw: ['PREROUTING', 'OUTPUT'],
  mangle: ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'],
  nat: ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING'],
  filter: ['INPUT', 'FORWARD', 'OUTPUT'],
}

/** Adds random rules to a node’s saved rules: in built-in chains, in chains of another program, and policies. */
export function withForeignRules(draw: Draw, saved: string, around: Surroundings): string {
  const tables = new Map<string, { readonly chains: string[]; readonly rules: string[] }>()
  let table = ''
  for (const line of saved.split('\n')) {
    if (line.startsWith('*')) {
      table = line.slice(1)
      tables.set(table, { chains: [], rules: [] })
    } else if (line.startsWith(':')) tables.get(table)?.chains.push(line)
    else if (line.startsWith('-A')) tables.get(table)?.rules.push(line)
  }
  const count = draw.integer({ min: 1, max: 8 })
  for (let made = 0; made < count; made++) {
    const table = draw.oneOf(...Object.keys(hooksOf))
    const hook = draw.oneOf(...(hooksOf[table] ?? []))
    const own = tables.get(table) ?? { chains: [], rules: [] }
    tables.set(table, own)
    const place = { ...around, table, hook }
    const isOwn = draw.oneOf(true, false, false)
    const chain = `OTHER-${hook}`
    if (isOwn && !own.chains.some((one) => one.startsWith(`:${chain} `))) {
      own.chains.push(`:${chain} - [0:0]`)
      insert(draw, own.rules, hook, rule(draw, place, `${draw.oneOf('-j', '-j', '-g')} ${chain}`))
    }
    insert(draw, own.rules, isOwn ? chain : hook, rule(draw, place, undefined))
  }
  return [...tables]
    .map(([name, { chains, rules }]) => {
      const builtIn = (hooksOf[name] ?? [])
        .filter((hook) => !chains.some((line) => line.startsWith(`:${hook} `)))
        .map((hook) => `:${hook} ACCEPT [0:0]`)
      const neighbours = around.family === 'IPv6' && name !== 'nat' ? neighbourRules(name) : []
      return [`*${name}`, ...builtIn, ...chains, ...neighbours, ...rules, 'COMMIT', ''].join('\n')
    })
    .join('')
}

/** Neighbour discovery passes all rules: a packet for which it fails has no path. */
function neighbourRules(table: string): string[] {
  return (hooksOf[table] ?? []).flatMap((hook) =>
    ['135', '136'].map((type) => `-A ${hook} -p ipv6-icmp -m icmp6 --icmpv6-type ${type} -j ACCEPT`),
  )
}

/** Where the other rules of its chain are, at a random position. */
function insert(draw: Draw, rules: string[], chain: string, text: string): void {
  const own = rules.flatMap((line, index) => (line.startsWith(`-A ${chain} `) ? [index] : []))
  const last = own.at(-1)
  const positions = last === undefined ? [rules.length] : [...own, last + 1]
  rules.splice(draw.oneOf(...positions), 0, `-A ${chain} ${text}`)
}

function rule(draw: Draw, { ...where }: Omit<Place, 'protocol'>, jump: string | undefined): string {
  const protocol = draw.oneOf<TracedProtocol | undefined>(undefined, 'tcp', 'tcp', 'udp', 'icmp', 'sctp')
  const place: Place = { ...where, protocol }
  const count = draw.integer({ min: jump === undefined ? 1 : 0, max: 3 })
  const kinds = Object.values(randomMatch)
  const matches: string[] = []
  for (let tries = 0; matches.length < count && tries < 20; tries++) {
    const isUnknown = draw.integer({ min: 0, max: 39 }) === 0
    const text = isUnknown ? unknownMatch(draw) : draw.oneOf(...kinds)(draw, place)
    // a rule has one protocol
    const second = text?.startsWith('-p ') === true && matches.some((one) => one.startsWith('-p '))
    if (text !== undefined && !second) matches.push(text)
  }
  const target = jump ?? targetOf(draw, place)
  const isDccp = matches.some((text) => text.startsWith('-p '))
  return [header(draw, place, isDccp), ...matches, target].filter((text) => text !== '').join(' ')
}

function header(draw: Draw, place: Place, hasProtocol: boolean): string {
  const { protocol, family, hook, interfaces } = place
  const name = protocol === 'icmp' && family === 'IPv6' ? 'ipv6-icmp' : protocol
  const some = () => draw.integer({ min: 0, max: 4 }) === 0
  const [incoming, out] = [
    ['PREROUTING', 'INPUT', 'FORWARD'].includes(hook),
    ['FORWARD', 'OUTPUT', 'POSTROUTING'].includes(hook),
  ]
  return [
    some() ? `${not(draw)}-s ${range(draw, place)}` : '',
    some() ? `${not(draw)}-d ${range(draw, place)}` : '',
    incoming && some() ? `${not(draw)}-i ${draw.oneOf(...interfaces)}` : '',
    out && some() ? `${not(draw)}-o ${draw.oneOf(...interfaces)}` : '',
    name === undefined || hasProtocol ? '' : `-p ${name}`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function targetOf(draw: Draw, place: Place): string {
  const isUnknown = draw.integer({ min: 0, max: 29 }) === 0
  if (isUnknown) return `-j ${unknownTarget(draw, place) ?? 'LOG'}`
  // a rule that only counts
  if (draw.integer({ min: 0, max: 9 }) === 0) return ''
  for (;;) {
    const text = draw.oneOf(...Object.values(randomTarget))(draw, place)
    if (text === undefined) continue
    // iptables-legacy only takes it for packets with SYN
    const flags = text.startsWith('TCPMSS') ? '-m tcp --tcp-flags SYN,RST SYN ' : ''
    return `${flags}-j ${text}`
  }
}
