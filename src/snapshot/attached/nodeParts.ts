import { groupBy } from '../../groupBy.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { Sysctls } from '../../topology/sysctls.js'
import type { RuleTables } from '../model/state.js'
import type { AttachedNode } from './bundle.js'
import type { NodePart } from './texts/model.js'

/** What all texts of a node say. */
export interface NodeParts extends Omit<NodePart, 'format' | 'problems' | 'backend'> {
  readonly name: string
}

/** What a text says, and the file that it is in. */
interface PartOfFile extends NodePart {
  readonly path: string
}

const byExactness = ['iptables-save', 'iptables -S', 'nft', 'iptables -L']

const families = ['IPv4', 'IPv6'] as const satisfies readonly IpFamily[]

/** The rank of a text: of rules that several texts show, those of the lowest are taken. */
export function exactness({ format }: Pick<NodePart, 'format'>): number {
  const found = byExactness.findIndex((start) => format.replace(/^ip6/, 'ip').startsWith(start))
  return found < 0 ? byExactness.length : found
}

/** Joins the texts of a node. */
export function nodeParts({ name, texts }: AttachedNode): NodeParts {
  // lines that somebody selected say nothing about the rules between them
  const whole = texts.map(({ part, text: { path } }) => ({
    ...{ ...(part.partial === true ? withoutRules(part) : part), path },
  }))
  const parts = whole.toSorted((a, b) => exactness(a) - exactness(b))
  const all = <Key extends keyof NodePart>(key: Key) =>
    parts.flatMap((part) => (part[key] === undefined ? [] : [part[key]]))
  const longest = <Value>(lists: readonly (readonly Value[])[]): readonly Value[] | undefined =>
    lists.toSorted((a, b) => b.length - a.length)[0]
  const defined = <Key extends string, Value>(key: Key, value: Value | undefined) =>
    (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, Value>>
  const rules = joinedRules(parts)
  const sysctls: Sysctls = Object.fromEntries(all('sysctls').flatMap((own) => Object.entries(own)))
  const lists = {
    ...defined('links', longest(all('links'))),
    ...defined('devices', longest(all('devices'))),
    ...defined('ports', longest(all('ports'))),
    ...defined('sockets', longest(all('sockets'))),
    ...defined('connections', longest(all('connections'))),
  }
  return {
    name,
    ...lists,
    lost: [...absentTables(parts, rules), ...lostOf(parts, rules, lists)],
    ...defined('rules', Object.keys(rules).length === 0 ? undefined : rules),
    ...(parts.some(({ partial }) => partial === true) && { partial: true as const }),
    ...defined('iptablesInNft', all('iptablesInNft').flat()),
    ...defined('nft', all('nft').find(({ tables }) => tables.length > 0) ?? all('nft')[0]),
    ...defined('unknown', all('unknown').flat()),
    ...defined('neighbours', all('neighbours').length === 0 ? undefined : all('neighbours').flat()),
    ...defined('routes', all('routes').length === 0 ? undefined : unique(all('routes').flat())),
    ...defined('forwarding', all('forwarding').length === 0 ? undefined : all('forwarding').flat()),
    ...defined('policies', all('policies').length === 0 ? undefined : unique(all('policies').flat())),
    ...defined('sysctls', Object.keys(sysctls).length === 0 ? undefined : sysctls),
    ...defined('sets', all('sets')[0]),
    ...defined('servers', all('servers')[0]),
    ...defined('recent', all('recent')[0]),
  }
}

function withoutRules({ rules: _rules, nft: _nft, ...part }: NodePart): NodePart {
  return part
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  const seen = new Set<string>()
  return values.filter((value) => {
    const key = JSON.stringify(value)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/**
 * Each table of the first text that has it: texts come in the order of their exactness, and one with rules wins over one without. Tables
 * of the backend that kube-proxy does not use have its name: `legacy:filter`.
 */
function joinedRules(parts: readonly NodePart[]): Partial<Record<IpFamily, RuleTables>> {
  const main = mainBackend(parts)
  return Object.fromEntries(
    families.flatMap((family) => {
      const tables = new Map<string, { readonly chains: Chains; readonly partial: boolean }>()
      for (const { rules, backend, partial = false } of parts)
        for (const [table, chains] of rules?.[family] ?? []) {
          const isOther = backend !== undefined && main !== undefined && backend !== main
          if (isOther && !hasRules(chains)) continue
          const name = isOther && !table.includes(':') ? `${backend}:${table}` : table
          const before = tables.get(name)
          if (before === undefined || (before.partial && !partial)) tables.set(name, { chains, partial })
        }
      return tables.size === 0
        ? []
        : [[family, new Map([...tables].map(([table, { chains }]) => [table, chains]))] as const]
    }),
  )
}

type Chains = RuleTables extends ReadonlyMap<string, infer Value> ? Value : never

/** The backend of the text with the rules of kube-proxy, or else of the first one with rules. */
function mainBackend(parts: readonly NodePart[]): NodePart['backend'] {
  const known = parts.filter(({ backend }) => backend !== undefined)
  const tables = ({ rules = {} }: NodePart) => Object.values(rules).flatMap((own) => [...own.values()])
  const found =
    known.find((part) => tables(part).some((chains) => hasRules(chains) && chains.has('KUBE-SERVICES'))) ??
    known.find((part) => tables(part).some(hasRules))
  return found?.backend
}

function hasRules(chains: Chains): boolean {
  return [...chains.values()].some(({ policy = 'ACCEPT', rules }) => rules.length > 0 || policy !== 'ACCEPT')
}

/** Lists of which the longest counts: a part of which nothing else is read, and none of these, has lost nothing. */
const chosen = ['links', 'devices', 'ports', 'sockets', 'connections'] as const

/** The tables of iptables that no text shows, although the node can have them. */
function absentTables(parts: readonly PartOfFile[], rules: Partial<Record<IpFamily, RuleTables>>): string[] {
  return families.flatMap((family) => {
    const own = parts.filter((part) => shows(part, rules, family))
    const absent = ['nat', 'filter', 'mangle', 'raw'].filter((table) => rules[family]?.has(table) !== true)
    if (own.length === 0 || absent.length === 0 || !own.every(({ someTables }) => someTables)) return []
    const tool = family === 'IPv4' ? 'iptables' : 'ip6tables'
    return [withFiles(`the tables ${absent.join(', ')} of ${tool} are not shown`, own)]
  })
}

/** Whether tables of a family are those of a text. */
function shows(part: NodePart, rules: Partial<Record<IpFamily, RuleTables>>, family: IpFamily): boolean {
  return [...(part.rules?.[family] ?? [])].some(([table, chains]) => rules[family]?.get(table) === chains)
}

function withFiles(text: string, parts: readonly PartOfFile[]): string {
  return `${text} (in ${[...new Set(parts.map(({ path }) => path))].join(', ')})`
}

/** What the texts do not show whose rules or lists count, with their files. */
function lostOf(
  parts: readonly PartOfFile[],
  rules: Partial<Record<IpFamily, RuleTables>>,
  lists: Partial<Pick<NodePart, (typeof chosen)[number]>>,
): string[] {
  const routesOf = parts.flatMap(({ routes = [] }) => routes.map(({ table = 'main' }) => table))
  const hasAllTables = new Set(routesOf).size > 1
  const found = parts.flatMap((one) => {
    const { lost, rules: own, ...part } = one
    const hasRules = families.some((family) => shows(one, rules, family))
    const { format: _format, problems: _problems, partial: _partial, backend: _backend, ...more } = part
    const { path: _path, someTables: _some, ...data } = more
    const keys = Object.keys(data) as (keyof typeof data)[]
    const hasData = keys.some((key) => {
      const one = chosen.find((name) => name === key)
      return data[key] !== undefined && (one === undefined || lists[one] === data[one])
    })
    const isUsed = hasRules || hasData || (own === undefined && keys.length === 0)
    return (isUsed ? lost : []).flatMap((text) =>
      hasAllTables && /^only the table \S+ is shown$/.test(text) ? [] : [{ text, part: one }],
    )
  })
  return [...groupBy(found, ({ text }) => text)].map(([text, alike]) =>
    withFiles(
      text,
      alike.map(({ part }) => part),
    ),
  )
}
