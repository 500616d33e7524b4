import { quote } from '../../../netfilter/rules/words.js'

/** A part of a listed rule as iptables-save prints it, and the number of its words. */
type Reading = readonly [taken: number, option: string] | undefined

interface Around {
  readonly protocol: string | undefined
  readonly target: string
}

/** Names that iptables prints for numbers without `-n`; others are not read. */
const services: Readonly<Record<string, string>> = {
  ...{ domain: '53', http: '80', https: '443', ssh: '22', bootps: '67', bootpc: '68', kerberos: '88' },
}
const icmpTypes: Readonly<Record<string, string>> = {
  ...{ 'echo-request': '8', 'echo-reply': '0', 'destination-unreachable': '3', 'time-exceeded': '11' },
}

/**
 * What follows the addresses of a rule in `iptables -L`, as iptables-save prints it: `before` the target and `after` it. What
 * is not known is in `unknown`: whether the rule applies is then not decided.
 */
export function listedOptions(
  text: string,
  around: Around,
): { readonly before: string; readonly after: string; readonly isGoto: boolean; readonly unknown: string } {
  const before: string[] = []
  const after: string[] = []
  let isGoto = false
  let rest = text.trim()
  while (rest !== '') {
    if (rest.startsWith('/* ')) {
      // a comment can have the sign of its end in it
      const end = endOfComment(rest)
      before.push(`-m comment --comment ${quote(rest.slice(3, end))}`)
      rest = rest.slice(end + 3).trim()
      continue
    }
    if (rest.startsWith('[goto]')) {
      isGoto = true
      rest = rest.slice('[goto]'.length).trim()
      continue
    }
    const words = rest.split(/\s+/, 16)
    const target = ofTarget(words, around)
    const match = target === undefined ? ofMatch(words, around) : undefined
    const [taken, option] = target ?? match ?? [0, '']
    if (taken === 0) return { before: before.join(' '), after: after.join(' '), isGoto, unknown: rest }
    if (option !== '') (target === undefined ? before : after).push(option)
    rest = withoutWords(rest, taken)
  }
  return { before: before.join(' '), after: after.join(' '), isGoto, unknown: '' }
}

/** The last end of a comment before which there is no other comment. */
function endOfComment(text: string): number {
  const next = text.indexOf(' /* ', 3)
  const end = text.lastIndexOf(' */', next < 0 ? undefined : next)
  return end < 3 ? text.length : end
}

function withoutWords(text: string, count: number): string {
  let at = 0
  for (let word = 0; word < count; word++) {
    while (at < text.length && text[at] !== ' ') at++
    while (at < text.length && text[at] === ' ') at++
  }
  return text.slice(at)
}

function ofTarget(
  [first = '', second = '', third = '', fourth = '']: readonly string[],
  { target }: Around,
): Reading {
  if (first.startsWith('to:') && (target === 'DNAT' || target === 'SNAT'))
    return [1, `--to-${target === 'DNAT' ? 'destination' : 'source'} ${first.slice(3)}`]
  if (first === 'reject-with') return [2, `--reject-with ${second}`]
  if (first === 'random-fully' || first === 'random' || first === 'persistent') return [1, `--${first}`]
  if (first === 'masq' && second === 'ports:') return [3, `--to-ports ${third}`]
  if (first === 'redir' && second === 'ports') return [3, `--to-ports ${third}`]
  if (first === 'MARK' || (first === 'CONNMARK' && !['save', 'restore'].includes(second))) {
    const mark = writtenMark(second, third)
    return mark === undefined ? undefined : [3, `--set-xmark ${mark}`]
  }
  if (first === 'CONNMARK') return connmark(second, third, fourth)
  if (first === 'CT' && second === 'notrack') return [2, '--notrack']
  if (first === 'NOTRACK' && target === 'CT') return [1, '--notrack']
  if (first === 'TCPMSS' && second === 'clamp') return [4, '--clamp-mss-to-pmtu']
  if (first === 'TCPMSS' && second === 'set') return [3, `--set-mss ${third}`]
  return undefined
}

/** `or 0x4000`, `xset 0x4000/0xffff`, as bits to clear and bits to flip. */
function writtenMark(how: string, text: string): string | undefined {
  const [value = '', mask] = text.split('/')
  if (!/^0x[0-9a-f]{1,8}$/.test(value)) return undefined
  switch (how) {
    case 'or':
      return `${value}/${value}`
    case 'xor':
      return `${value}/0x0`
    case 'and':
      return `0x0/0x${(~Number(value) >>> 0).toString(16)}`
    case 'set':
    case 'xset':
      return `${value}/${mask ?? '0xffffffff'}`
    default:
      return undefined
  }
}

function connmark(how: string, word: string, mask: string): Reading {
  if (word !== 'mask') return [2, `--${how}-mark --nfmask 0xffffffff --ctmask 0xffffffff`]
  return [4, `--${how}-mark --nfmask ${mask} --ctmask ${mask}`]
}

function ofMatch(words: readonly string[], { protocol }: Around): Reading {
  const [first = '', second = '', third = ''] = words
  if (first === protocol && ['tcp', 'udp', 'sctp'].includes(first)) return transport(words)
  if (first === 'icmptype' || first === 'ipv6-icmptype') {
    const isCode = third === 'code'
    const type = isCode ? `${second}/${words[3]}` : second === '255' ? 'any' : second
    return [
      isCode ? 4 : 2,
      first === 'icmptype' ? `-m icmp --icmp-type ${type}` : `-m icmp6 --icmpv6-type ${type}`,
    ]
  }
  if (first === 'icmp' && second in icmpTypes) return [2, `-m icmp --icmp-type ${icmpTypes[second]}`]
  if (first === '!' && second === 'match-set') return [4, `-m set ! --match-set ${third} ${words[3]}`]
  if (first === 'match-set') return [3, `-m set --match-set ${second} ${third}`]
  if (first === '!' && (second === 'ctstate' || second === 'state'))
    return [3, second === 'state' ? `-m state ! --state ${third}` : `-m conntrack ! --ctstate ${third}`]
  if (first === 'ctstate') return [2, `-m conntrack --ctstate ${second}`]
  if (first === 'state') return [2, `-m state --state ${second}`]
  if (first === 'mark' && second === 'match') return marked('mark', words)
  if (first === 'connmark' && second === 'match') return marked('connmark', words)
  if (first === 'ADDRTYPE' && second === 'match') return addrtype(words)
  if (first === 'multiport') return multiport(words)
  if ((first === 'source' || first === 'destination') && second === 'IP' && third === 'range') {
    const side = first === 'source' ? 'src' : 'dst'
    const isNot = words[3] === '!'
    return [isNot ? 5 : 4, `-m iprange${isNot ? ' !' : ''} --${side}-range ${words[isNot ? 4 : 3]}`]
  }
  if (first === 'statistic' && second === 'mode') {
    if (third === 'random' && words[3] === 'probability')
      return [5, `-m statistic --mode random --probability ${Number(words[4]).toFixed(11)}`]
    if (third === 'nth' && words[3] === 'every')
      return [
        words[5] === 'packet' ? 7 : 5,
        `-m statistic --mode nth --every ${words[4]} --packet ${words[6] ?? 0}`,
      ]
  }
  if (first === 'nfacct-name') return [2, `-m nfacct --nfacct-name  ${second}`]
  if (first === 'recent:') return recent(words)
  return undefined
}

function transport([protocol = '', ...words]: readonly string[]): Reading {
  const options: string[] = []
  let at = 0
  for (; at < words.length; at++) {
    const [, side, isNot, text = ''] = /^([sd])pts?:(!?)(\S+)$/.exec(words[at] ?? '') ?? []
    const flags = /^flags:(!?)0x([0-9A-Fa-f]{2})\/0x([0-9A-Fa-f]{2})$/.exec(words[at] ?? '')
    if (side !== undefined) {
      const port = services[text] ?? text
      if (!/^\d+(?::\d+)?$/.test(port)) return undefined
      options.push(`${isNot ? '! ' : ''}--${side}port ${port}`)
    } else if (flags) {
      const [, not, mask = '', set = ''] = flags
      options.push(`${not ? '! ' : ''}--tcp-flags ${flagNames(mask)} ${flagNames(set)}`)
    } else if (/^flags:!?[A-Z,]{3,40}\/[A-Z,]{3,40}$/.test(words[at] ?? '')) {
      const [mask = '', set = ''] = (words[at] ?? '').replace(/^flags:!?/, '').split('/')
      options.push(`${words[at]?.includes('!') === true ? '! ' : ''}--tcp-flags ${mask} ${set}`)
    } else break
  }
  return [at + 1, [`-m ${protocol}`, ...options].join(' ')]
}

function flagNames(hex: string): string {
  const bits = Number(`0x${hex}`)
  const names = ['FIN', 'SYN', 'RST', 'PSH', 'ACK', 'URG'].filter((_, bit) => (bits & (1 << bit)) !== 0)
  return names.length === 0 ? 'NONE' : names.join(',')
}

function marked(kind: string, words: readonly string[]): Reading {
  const isNot = words[2] === '!'
  const value = words[isNot ? 3 : 2] ?? ''
  return [isNot ? 4 : 3, `-m ${kind}${isNot ? ' !' : ''} --mark ${value}`]
}

function addrtype(words: readonly string[]): Reading {
  const options: string[] = []
  let at = 2
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === 'src-type' || word === 'dst-type') {
      const type = words[++at] ?? ''
      options.push(type.startsWith('!') ? `! --${word} ${type.slice(1)}` : `--${word} ${type}`)
    } else if (word === 'limit-in') options.push('--limit-iface-in')
    else if (word === 'limit-out') options.push('--limit-iface-out')
    else break
  }
  return options.length === 0 ? undefined : [at, `-m addrtype ${options.join(' ')}`]
}

function multiport([, side = '', ...rest]: readonly string[]): Reading {
  if (!['sports', 'dports', 'ports'].includes(side)) return undefined
  const isApart = rest[0] === '!'
  const [text = ''] = isApart ? rest.slice(1) : rest
  const isNot = isApart || text.startsWith('!')
  const ports = text.startsWith('!') ? text.slice(1) : text
  if (!/^[\d,:]+$/.test(ports)) return undefined
  return [isApart ? 4 : 3, `-m multiport ${isNot ? '! ' : ''}--${side} ${ports}`]
}

function recent([, how = '', ...words]: readonly string[]): Reading {
  const command = { SET: '--set', CHECK: '--rcheck', UPDATE: '--update', REMOVE: '--remove' }[how]
  if (command === undefined) return undefined
  const options = [command]
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === 'seconds:') options.push(`--seconds ${words[++at]}`)
    else if (word === 'reap') options.push('--reap')
    else if (word === 'hit_count:') options.push(`--hitcount ${words[++at]}`)
    else if (word === 'name:') options.push(`--name ${words[++at]}`)
    else if (word === 'mask:') options.push(`--mask ${words[++at]}`)
    else if (word === 'side:') at++
    else break
  }
  const side = words.indexOf('side:')
  const sides = { source: ' --rsource', dest: ' --rdest' }[side < 0 ? '' : (words[side + 1] ?? '')]
  return [at + 2, `-m recent ${options.join(' ')}${sides ?? ''}`]
}
