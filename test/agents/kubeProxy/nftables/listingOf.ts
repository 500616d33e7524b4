import type { NftBlock, NftListing } from '../../../../src/netfilter/nftList.js'
import {
  nodePortIPsSet,
  sharedContainers,
  type SharedContainer,
} from '../../../../src/agents/kubeProxy/nftables/containers.js'
import type { NftContext } from '../../../../src/agents/kubeProxy/nftables/context.js'
import { listedRule } from '../../../../src/agents/kubeProxy/nftables/listed.js'
import type { NftChain, NftContainer, NftHook } from '../../../../src/agents/kubeProxy/nftables/rule.js'
import {
  sharedElements,
  type NftTable,
  type SharedElements,
} from '../../../../src/agents/kubeProxy/nftables/table.js'
import { elementText, tableName } from '../../../../src/agents/kubeProxy/nftables/writer.js'

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

/** nft prints names for known priorities of the hook. */
function hookLine({ type, hook, priority }: NftHook): string {
  return `type ${type} hook ${hook} priority ${priorityText(hook, priority)}; policy accept;`
}

function priorityText(hook: NftHook['hook'], priority: number): string {
  if (priority === 0) return 'filter'
  if (hook === 'postrouting' && priority === 100) return 'srcnat'
  if (hook !== 'prerouting') return String(priority)
  return priority === -100 ? 'dstnat' : `dstnat - ${-100 - priority}`
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
