import ipaddr from 'ipaddr.js'
import type { NftBlock, NftListing } from '../../netfilter/nftList.js'
import { nodePortIPsSet, sharedContainers, type SharedContainer } from './containers.js'
import type { NftContext } from './context.js'
import { elementText, tableName } from './writer.js'
import type { NftChain, NftContainer, NftHook, NftRule, Statement } from './rule.js'
import { sharedElements, type NftTable, type SharedElements } from './table.js'
import { markText } from './writtenRule.js'

/** The listing that `nft -s list table` (1.0.6) prints once a table is loaded. */
export function listingOf(table: NftTable): NftListing {
  const { context, containers, fixed, servicePorts } = table
  const elements = sharedElements(table)
  return {
    table: `table ${context.ip} ${tableName}`,
    comment: 'comment "rules for kube-proxy"',
    blocks: [
      ...containers.map((one) => containerBlock(one, elementsIn(one.name, elements, context))),
      ...servicePorts.flatMap(({ sets }) => sets.map((set) => containerBlock(set, []))),
      ...fixed.map((chain) => chainBlock(chain, context)),
      ...servicePorts.flatMap(({ chains }) => chains.map((chain) => chainBlock(chain, context))),
    ],
  }
}

/** A rule as `nft list` shows it. */
export function listedRule({ statements, comment }: NftRule, context: Pick<NftContext, 'ip'>): string {
  const text = statements.map((statement) => listed(statement, context.ip)).join(' ')
  return comment === undefined ? text : `${text} comment "${comment}"`
}

function elementsIn(name: string, elements: SharedElements, { nodePortIPs = [] }: NftContext): string[] {
  if (name === nodePortIPsSet) return [...nodePortIPs]
  const shared = sharedContainers.find((one): one is SharedContainer => one === name)
  return [...((shared && elements.get(shared)) ?? new Map()).values()].map(elementText)
}

function containerBlock(
  { kind, name, type, comment, timeout }: NftContainer,
  elements: readonly string[],
): NftBlock {
  const lines = [
    `type ${type}${kind === 'map' ? ' : verdict' : ''}`,
    ...(timeout === undefined ? [] : ['size 65535', 'flags dynamic,timeout', `timeout ${duration(timeout)}`]),
    ...(comment === undefined ? [] : [`comment "${comment}"`]),
  ]
  return { kind, name, lines, elements }
}

function chainBlock({ name, hook, comment, rules }: NftChain, context: NftContext): NftBlock {
  const lines = [
    ...(hook === undefined ? [] : [hookLine(hook)]),
    ...(comment === undefined ? [] : [`comment "${comment}"`]),
    ...rules.map((rule) => listedRule(rule, context)),
  ]
  return { kind: 'chain', name, lines, elements: [] }
}

/** nft has words for the priorities that the hook has a name for. */
function hookLine({ type, hook, priority }: NftHook): string {
  return `type ${type} hook ${hook} priority ${priorityText(hook, priority)}; policy accept;`
}

function priorityText(hook: NftHook['hook'], priority: number): string {
  if (priority === 0) return 'filter'
  if (hook === 'postrouting' && priority === 100) return 'srcnat'
  if (hook !== 'prerouting') return String(priority)
  return priority === -100 ? 'dstnat' : `dstnat - ${-100 - priority}`
}

function listed(statement: Statement, ip: NftContext['ip']): string {
  if (typeof statement === 'string') return statement
  switch (statement.kind) {
    case 'setMark':
      return `meta mark set meta mark ${statement.operation === 'or' ? '|' : '^'} ${markText(statement.mark)}`
    case 'hasMark':
      return `meta mark & ${markText(statement.mark)} != ${markText(0)}`
    case 'inInterface':
      return `iifname ${statement.negated ? '!= ' : ''}"${statement.name}"`
    case 'destinationIn':
      return `${ip} daddr ${anonymousSet(statement.networks)}`
    case 'sourceNotIn':
      return `${ip} saddr != ${anonymousSet(statement.networks)}`
    case 'balance': {
      const { protocol, endpoints } = statement
      const map = endpoints.map(({ address, port }, index) => `${index} : ${address} . ${port}`)
      const pick = `numgen random mod ${endpoints.length} map { ${map.join(', ')} }`
      return `meta l4proto ${protocol} dnat ${ip} to ${pick}`
    }
    case 'balanceChains': {
      const map = statement.chains.map((chain, index) => `${index} : goto ${chain}`)
      return `numgen random mod ${statement.chains.length} vmap { ${map.join(', ')} }`
    }
  }
}

/** A set in place: sorted, a whole address without its prefix, and a single element without braces. */
function anonymousSet(networks: readonly string[]): string {
  const plain = [...new Set(networks.map((network) => network.replace(/(\..*)\/32$|(:.*)\/128$/, '$1$2')))]
  const sorted = plain.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))
  return sorted.length === 1 ? (sorted[0] ?? '') : `{ ${sorted.join(', ')} }`
}

function bytesOf(network: string): Buffer {
  return Buffer.from(ipaddr.parse(network.split('/')[0] ?? '').toByteArray())
}

/** Seconds as nft prints them: 3h, 1m30s. */
function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const
  let rest = seconds
  return units
    .map(([letter, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count === 0 ? '' : `${count}${letter}`
    })
    .join('')
}
