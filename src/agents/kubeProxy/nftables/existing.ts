import { parseNftLists, type NftBlock } from '../../../netfilter/nftList.js'
import { sharedContainers, type SharedContainer } from './containers.js'
import type { NftElement } from './rule.js'
import type { Existing } from './transactions.js'
import { tableName } from './writer.js'

/** The nft commands that list the current state: names of chains, and sets and maps with their elements. */
export function listCommands(ip: 'ip' | 'ip6'): string {
  return ['chains', 'sets', 'maps'].map((what) => `list ${what} ${ip}\n`).join('')
}

/** The contents of kube-proxy's table, from the output of those commands. */
export function existingOf(listed: string, ip: 'ip' | 'ip6'): Existing {
  const own = parseNftLists(listed).filter(({ table }) => table === `table ${ip} ${tableName}`)
  const blocks = own.flatMap((listing) => listing.blocks)
  const names = (kind: NftBlock['kind']) =>
    new Set(blocks.filter((block) => block.kind === kind).map(({ name }) => name))
  const shared = blocks.flatMap(({ name, elements }) =>
    isShared(name) ? [[name, new Map(elements.map(elementOf).map((one) => [one.key, one]))] as const] : [],
  )
  return { chains: names('chain'), sets: names('set'), elements: new Map(shared) }
}

function isShared(name: string): name is SharedContainer {
  return sharedContainers.some((one) => one === name)
}

/** `10.96.0.1 . tcp . 80 comment "ns/svc" : drop` */
function elementOf(text: string): NftElement {
  const [, key = text, comment, value] = /^(.*?)(?: comment "([^"]*)")?(?: : (.*))?$/.exec(text) ?? []
  return { key, value, comment }
}
