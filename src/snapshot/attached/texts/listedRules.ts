import type { IpFamily } from '../../../net/ipFamily.js'
import type { SavedChain, SavedRule, SavedTable } from '../../../netfilter/save.js'
import { loadTables } from '../../rules/loadRestore.js'
import { listedOptions } from './listedMatches.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped, noteComment } from './saveText.js'
import { tableOfChains } from './tableOfRules.js'

const chainHead = /^Chain (\S+) \((?:policy (\w+)|(\d+) references?)/

/** Comments, and what collectors print after a list. */
const isNoise = /^(?:#|=+$|Total Number of Rules)/

const protocols: Readonly<Record<string, string>> = {
  ...{
    '6': 'tcp',
    '17': 'udp',
    '1': 'icmp',
    '58': 'ipv6-icmp',
    '132': 'sctp',
    '47': 'gre',
    icmpv6: 'ipv6-icmp',
  },
}

/** Which columns a list has. */
interface Columns {
  readonly numbers: boolean
  readonly verbose: boolean
}

/** Rules of kube-proxy name no interface, but those of detectLocalMode, which -L without -v does not show. */
const ofKubeProxy = /^KUBE-(?!SVC-|EXT-)/

/**
 * Reads `iptables -L`, with or without `-n`, `-v` and `--line-numbers`, of one table or several. What it does not print is in the
 * rule as a condition that is not decided.
 */
export function readListedRules(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const lost = new Set<string>()
  const unread = new Set<string>()
  let tables: SavedTable[] = []
  let chains = new Map<string, SavedTable>()
  let chain: string | undefined
  // built-in chains are listed first, in the order of hooks: one after another chain is of the next table
  let isOwn = false
  let columns: Columns = { numbers: false, verbose: false }
  const isSix = text.hints.family === 'IPv6' || (text.hints.family === undefined && text.lines.some(isSixRow))
  text.lines.forEach((line, index) => {
    noteComment(line, { push: (warning) => void lost.add(warning) })
    const head = chainHead.exec(line)
    if (head) {
      const [, name = '', policy = '-'] = head
      const isNext =
        chains.has(name) || (policy !== '-' && (isOwn || (name === 'PREROUTING' && chains.size > 0)))
      if (isNext) chains = new Map()
      isOwn = policy === '-'
      const table = { table: '', chains: [], rules: [] } satisfies SavedTable as SavedTable
      const known = [...chains.values()][0] ?? table
      if (known === table) tables = [...tables, table]
      chains.set(name, known)
      known.chains.push({ name, policy, packets: 0, bytes: 0 } satisfies SavedChain)
      chain = name
      return
    }
    if (/^\s*(?:num\s+)?(?:pkts\s+bytes\s+)?target\s+prot\s+opt\s/.test(line)) {
      columns = { numbers: /^\s*num\s/.test(line), verbose: /\spkts\s|^\s*pkts\s/.test(line) }
      return
    }
    if (chain === undefined || line.trim() === '' || isNoise.test(line)) return
    const spec = rowSpec(line, { ...columns, chain }, lost, unread)
    if (spec === undefined)
      problems.push({
        line: lineAt(text, index),
        message: `expected a rule of "iptables -L", found "${line.slice(0, 60)}"`,
      })
    else chains.get(chain)?.rules.push({ chain, spec, line: index + 1 } satisfies SavedRule)
  })
  const named = tables.flatMap((table) => {
    const builtIn = new Set(table.chains.filter(({ policy }) => policy !== '-').map(({ name }) => name))
    const name = tables.length > 1 ? tableOfChains(builtIn) : (text.hints.table ?? tableOfChains(builtIn))
    if (name !== undefined) return [{ ...table, table: name }]
    lost.add(
      `the table of the chains ${table.chains
        .slice(0, 3)
        .map((one) => one.name)
        .join(', ')} is not shown: their rules are left out`,
    )
    return []
  })
  if (unread.size > 0) {
    const some = [...unread].slice(0, 3).join('", "')
    const more = unread.size > 3 ? ` and ${unread.size - 3} more` : ''
    lost.add(
      `conditions of iptables -L are not read ("${some}"${more}): whether a rule with one applies is not decided`,
    )
  }
  const family: IpFamily = isSix ? 'IPv6' : 'IPv4'
  const { filter } = text.hints
  if (filter !== undefined) lost.add(`only the lines that "${filter}" selects are shown`)
  const isPartial = filter !== undefined || problems.length > 0
  return {
    rules: { [family]: loadTables(named, text.path, lineAt(text, 0)) },
    ...{ backend: text.hints.backend, someTables: true, lost: [...lost], problems: capped(problems) },
    ...(isPartial && { partial: true as const }),
  }
}

function isSixRow(line: string): boolean {
  return line.includes(' ::/0 ') || / ipv6-icmp|icmp6-/.test(line)
}

/** Why a condition of a listed rule is not decided, as a match that is none of iptables. */
function notShown(what: string): string {
  return `-m not-shown --${what}`
}

function rowSpec(
  line: string,
  { numbers, verbose, chain }: Columns & { readonly chain: string },
  lost: Set<string>,
  unread: Set<string>,
): string | undefined {
  const words = line.trim().split(/\s+/)
  const start = (numbers ? 1 : 0) + (verbose ? 2 : 0)
  // a rule without a target has an empty column
  const opt = [start + 1, start + 2].find((at) => /^(?:--|-f|!f|----)$/.test(words[at] ?? ''))
  // ip6tables 1.8.9 prints none
  if (opt === undefined || words.length < opt + (verbose ? 5 : 3)) return undefined
  const target = opt === start + 2 ? (words[start] ?? '') : ''
  const protocol = words[opt - 1] ?? ''
  const [inward = '*', outward = '*'] = verbose ? words.slice(opt + 1, opt + 3) : []
  const addresses = opt + (verbose ? 3 : 1)
  const [source = '', destination = ''] = words.slice(addresses, addresses + 2)
  const name = protocols[protocol.replace(/^!/, '')] ?? protocol.replace(/^!/, '')
  const isAny = name === 'all' || name === '0'
  const extra = afterWords(line, addresses + 2)
  const { before, after, isGoto, unknown } = listedOptions(extra, {
    protocol: isAny ? undefined : name,
    target,
  })
  const isShown = verbose || ofKubeProxy.test(chain) || ofKubeProxy.test(target)
  if (!isShown) lost.add('iptables -L without -v shows no interfaces: whether a rule applies is not decided')
  const parts = [
    addressOption('-s', source, lost),
    addressOption('-d', destination, lost),
    interfaceOption('-i', inward),
    interfaceOption('-o', outward),
    isAny ? '' : negated('-p', `${protocol.startsWith('!') ? '!' : ''}${name}`),
    ...[words[opt] === '-f' ? '-f' : words[opt] === '!f' ? '! -f' : ''],
    before,
    isShown ? '' : notShown('interfaces'),
    unknown === '' ? '' : `-m as-listed --text ${JSON.stringify(unknown)}`,
    ...targetParts(target, after, isGoto),
  ]
  if (unknown !== '') unread.add(unknown.slice(0, 60))
  return parts.filter((part) => part !== '').join(' ')
}

function targetParts(target: string, after: string, isGoto: boolean): readonly string[] {
  if (target === '') return [after]
  return [`${isGoto ? '-g' : '-j'} ${target}`, after]
}

function afterWords(line: string, count: number): string {
  let at = 0
  while (line[at] === ' ' || line[at] === '\t') at++
  for (let word = 0; word < count; word++) {
    while (at < line.length && line[at] !== ' ') at++
    while (at < line.length && line[at] === ' ') at++
  }
  return line.slice(at)
}

function negated(option: string, text: string): string {
  return text.startsWith('!') ? `! ${option} ${text.slice(1)}` : `${option} ${text}`
}

function interfaceOption(option: string, name: string): string {
  return name === '*' || name === 'any' ? '' : negated(option, name)
}

function addressOption(option: string, text: string, lost: Set<string>): string {
  const bare = text.replace(/^!/, '')
  if (['0.0.0.0/0', '::/0', 'anywhere', '0/0'].includes(bare)) return ''
  const isAddress = /^[0-9a-f.:/]+$/i.test(bare) && /[.:]/.test(bare)
  if (!isAddress) {
    lost.add(
      'iptables -L without -n shows names in place of addresses: whether such a rule applies is not decided',
    )
    return notShown('address')
  }
  const whole = bare.includes('/') ? bare : `${bare}/${bare.includes(':') ? 128 : 32}`
  return negated(option, text.startsWith('!') ? `!${whole}` : whole)
}
