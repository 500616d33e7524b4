import {
  neighboursOf,
  policiesOf,
  routesOf,
  type IpNeighbour,
  type IpRoute,
  type IpRule,
} from '../../readings/interfaces.js'
import { lineAt, type CleanText, type FormatPart, type LineProblem } from './model.js'
import { capped } from './saveText.js'

const types = new Set([
  'unicast',
  'local',
  'broadcast',
  'multicast',
  'anycast',
  'throw',
  'unreachable',
  'prohibit',
  'blackhole',
  'nat',
])
const alone = new Set([
  'onlink',
  'linkdown',
  'dead',
  'pervasive',
  'offload',
  'trap',
  'notify',
  'unresolved',
  'rt_offload',
])
const tableNames: Readonly<Record<string, string>> = { '255': 'local', '254': 'main', '253': 'default' }

/** Reads `ip route`, of the table main, of one that the command names, or of all; of both families. */
export function readRouteText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const routes: IpRoute[] = []
  const lost = new Set<string>()
  const { table, family } = text.hints
  const given = table === undefined || table === 'all' ? undefined : (tableNames[table] ?? table)
  text.lines.forEach((line, index) => {
    if (line.trim() === '') return
    if (/^\s+(?:nexthop|via) /.test(line)) {
      const last = routes.pop()
      if (last) routes.push({ ...last, nexthops: [] })
      return
    }
    if (/^\s+cache\b/.test(line)) return
    const route = routeOf(line.trim().split(/\s+/))
    if (route === undefined) {
      problems.push({ line: lineAt(text, index), message: `expected a route, found "${line.slice(0, 60)}"` })
      return
    }
    if (route.isAnswer) {
      lost.add('ip route get shows one decision, and no routes: it is not read')
      return
    }
    const own = route.read
    const isSix = family === 'IPv6' && own.pref === undefined && own.error === undefined
    routes.push({
      ...own,
      ...(given !== undefined && own.table === undefined && { table: given }),
      ...(isSix && { pref: 'medium' }),
    })
  })
  const tables = new Set(routes.map((route) => route.table ?? 'main'))
  if (tables.size === 1 && !(text.hints.args.includes('all') || table === 'all'))
    lost.add(`only the table ${[...tables][0]} is shown`)
  return {
    format: 'ip route',
    routes: routesOf(undefined, routes),
    lost: [...lost],
    problems: capped(problems),
  }
}

/** Whether a text is a range, an address or `default`. */
export function isDestination(text: string): boolean {
  return (
    text === 'default' ||
    /^(?:\d{1,3}(?:\.\d{1,3}){0,3}|[0-9a-f]{0,4}:[0-9a-f:.]{1,45})(?:\/\d{1,3})?$/i.test(text)
  )
}

function routeOf(
  words: readonly string[],
): { readonly read: IpRoute; readonly isAnswer: boolean } | undefined {
  const isTyped = types.has(words[0] ?? '')
  const type = isTyped ? words[0] : undefined
  const dst = words[isTyped ? 1 : 0] ?? ''
  if (!isDestination(dst)) return undefined
  const fields: Record<string, unknown> = {}
  const flags: string[] = []
  let isAnswer = false
  for (let at = isTyped ? 2 : 1; at < words.length; at++) {
    const word = words[at] ?? ''
    if (alone.has(word)) {
      flags.push(word)
      continue
    }
    if (word === 'cache') {
      isAnswer = true
      continue
    }
    let value = words[++at] ?? ''
    if (value === 'lock') value = words[++at] ?? ''
    switch (word) {
      case 'via':
        if (value === 'inet' || value === 'inet6') fields['via'] = { host: words[++at] ?? '' }
        else fields['gateway'] = value
        break
      case 'dev':
        fields['dev'] = value
        break
      case 'table':
        fields['table'] = tableNames[value] ?? value
        break
      case 'metric':
        fields['metric'] = Number(value)
        break
      case 'src':
        fields['prefsrc'] = value
        break
      case 'pref':
        fields['pref'] = value
        break
      case 'error':
        fields['error'] = Number(value)
        break
      case 'tos':
      case 'dsfield':
        fields['tos'] = value
        break
      case 'nexthop':
        fields['nexthops'] = []
        break
      case 'uid':
        isAnswer = true
    }
  }
  return { read: { dst, flags, ...(type !== undefined && { type }), ...fields } satisfies IpRoute, isAnswer }
}

const ruleHead = /^(\d{1,10}):\s+(.*)$/

/** Reads `ip rule` and `ip -6 rule`. */
export function readRuleText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const rules: IpRule[] = []
  text.lines.forEach((line, index) => {
    if (line.trim() === '') return
    const [, priority, rest = ''] = ruleHead.exec(line.trim()) ?? []
    if (priority === undefined)
      problems.push({
        line: lineAt(text, index),
        message: `expected a rule of ip rule, found "${line.slice(0, 60)}"`,
      })
    else rules.push({ priority: Number(priority), ...ruleOf(rest.trim().split(/\s+/)) })
  })
  const isSix = rules.some(({ src = '', dst = '' }) => src.includes(':') || dst.includes(':'))
  const family = isSix ? 'IPv6' : (text.hints.family ?? 'IPv4')
  return { format: 'ip rule', policies: policiesOf('', family, rules), lost: [], problems: capped(problems) }
}

function ruleOf(words: readonly string[]): Omit<IpRule, 'priority'> {
  const rule: Record<string, unknown> = {}
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const value = words[at + 1] ?? ''
    switch (word) {
      case 'not':
        rule['not'] = null
        continue
      case '[detached]':
        continue
      case 'from':
      case 'to': {
        const [address = '', length] = value.split('/')
        const name = word === 'from' ? 'src' : 'dst'
        rule[name] = address
        if (length !== undefined) rule[`${name}len`] = Number(length)
        break
      }
      case 'fwmark': {
        const [mark, mask] = value.split('/')
        rule['fwmark'] = mark
        if (mask !== undefined) rule['fwmask'] = mask
        break
      }
      case 'lookup':
        if (value === '[l3mdev-table]') rule['l3mdev'] = null
        else rule['table'] = tableNames[value] ?? value
        break
      case 'suppress_prefixlength':
        rule['suppress_prefixlen'] = Number(value)
        break
      case 'proto':
        rule['protocol'] = value
        break
      case 'blackhole':
      case 'unreachable':
      case 'prohibit':
      case 'nop':
        rule['action'] = word
        continue
      default:
        rule[word] = value
    }
    at++
  }
  return rule
}

/** Reads `ip neigh`, of both families. */
export function readNeighbourText(text: CleanText): FormatPart {
  const problems: LineProblem[] = []
  const neighbours: IpNeighbour[] = []
  text.lines.forEach((line, index) => {
    if (line.trim() === '') return
    const words = line.trim().split(/\s+/)
    const [dst = ''] = words
    const dev = words.indexOf('dev')
    if (!isDestination(dst) || dev < 0) {
      problems.push({
        line: lineAt(text, index),
        message: `expected a neighbour, found "${line.slice(0, 60)}"`,
      })
      return
    }
    const mac = words.indexOf('lladdr')
    neighbours.push({
      ...{ dst, dev: words[dev + 1] ?? '', state: words.filter((word) => /^[A-Z]{4,12}$/.test(word)) },
      ...(mac >= 0 && { lladdr: words[mac + 1] ?? '' }),
    })
  })
  return {
    format: 'ip neigh',
    neighbours: neighboursOf(undefined, neighbours),
    lost: [],
    problems: capped(problems),
  }
}
