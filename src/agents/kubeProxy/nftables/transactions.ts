import { isServiceObject } from './chainNames.js'
import { sharedContainers } from './containers.js'
import type { NftElement } from './rule.js'
import type { ServicePortTable } from './serviceTable.js'
import { sharedElements, type NftTable, type SharedElements } from './table.js'
import { nftWriter, writeBase, type NftWriter } from './writer.js'

/** The kernel's table before a full sync. */
export interface Existing {
  readonly chains: ReadonlySet<string>
  readonly sets: ReadonlySet<string>
  readonly elements: SharedElements
}

/** No table yet. */
export const nothing: Existing = { chains: new Set(), sets: new Set(), elements: new Map() }

/** The input of `nft -f` for one sync. */
export interface Transaction {
  /** Empty when there is nothing to do. */
  readonly text: string
  /** Chains that are emptied now and deleted later: until then the kernel may hold a map's reference to them. */
  readonly stale: readonly string[]
}

/** Rewrites everything except existing elements; mirrors a full sync of syncProxyRules. */
export function fullSync(after: NftTable, existing: Existing): Transaction {
  const writer = nftWriter(after.context)
  const elements = sharedElements(after)
  writeBase(after, writer)
  const active = writePorts(after.servicePorts, existing.chains, { context: after.context, writer }, () => {
    writeElements(existing.elements, elements, writer)
  })
  const stale = [...existing.chains].filter((name) => isServiceObject(name) && !active.has(name))
  const staleSets = [...existing.sets].filter((name) => isServiceObject(name) && !active.has(name))
  return finish(writer, stale, staleSets, existing.elements, elements)
}

/** The chains of the Services that changed, and the elements that differ; both tables must share their context. */
export function partialSync(before: NftTable, after: NftTable, changed: ReadonlySet<string>): Transaction {
  const writer = nftWriter(after.context)
  const [earlier, later] = [portsOf(before, changed), portsOf(after, changed)]
  // other Services are unchanged, unless they use the same key
  const keys = new Set([...earlier, ...later].flatMap(({ elements }) => elements.map(({ key }) => key)))
  const elements = { before: sharedElements(before, keys), after: sharedElements(after, keys) }
  const chains = earlier.flatMap((port) => port.chains.map(({ name }) => name))
  const active = writePorts(later, new Set(chains), { context: after.context, writer }, () => {
    writeElements(elements.before, elements.after, writer)
  })
  const sets = earlier.flatMap((port) => port.sets.map(({ name }) => name))
  const gone = (names: readonly string[]) => names.filter((name) => !active.has(name))
  return finish(writer, gone(chains), gone(sets), elements.before, elements.after)
}

/** Deletes chains that were emptied by an earlier transaction. */
export function deleteChains(names: readonly string[], context: NftTable['context']): string {
  const writer = nftWriter(context)
  for (const name of names) writer.raw('delete', 'chain', name)
  return textOf(writer)
}

/** Writes chains before the elements that reference them and rules after their sets; returns all names. */
function writePorts(
  ports: readonly ServicePortTable[],
  existing: ReadonlySet<string>,
  { context, writer }: { readonly context: NftTable['context']; readonly writer: NftWriter },
  between: () => void,
): ReadonlySet<string> {
  const names = new Set<string>()
  // rendered immediately: the rules of thousands of Services would fill the heap
  const later = nftWriter(context)
  for (const { chains, sets } of ports) {
    for (const set of sets) {
      names.add(set.name)
      later.addContainer(set)
    }
    for (const chain of chains) {
      names.add(chain.name)
      writer.addChain(chain)
      if (existing.has(chain.name)) writer.flushChain(chain.name)
      later.addRules(chain)
    }
  }
  between()
  for (const line of later.lines) writer.lines.push(line)
  return names
}

/** An element with a new value is deleted and added; like kube-proxy, this does not compare comments. */
function writeElements(before: SharedElements, after: SharedElements, writer: NftWriter): void {
  for (const container of sharedContainers) {
    const existing = before.get(container)
    for (const element of elementsOf(after, container)) {
      const was = existing?.get(element.key)
      if (was !== undefined && was.value === element.value) continue
      if (was !== undefined) writer.deleteElement(container, was)
      writer.addElement(container, element)
    }
  }
}

function finish(
  writer: NftWriter,
  stale: readonly string[],
  staleSets: readonly string[],
  before: SharedElements,
  after: SharedElements,
): Transaction {
  for (const name of stale) writer.flushChain(name)
  for (const name of staleSets) writer.raw('delete', 'set', name)
  for (const container of sharedContainers) {
    const wanted = after.get(container)
    for (const element of elementsOf(before, container)) {
      if (wanted?.has(element.key) !== true) writer.deleteElement(container, element)
    }
  }
  return { text: textOf(writer), stale }
}

function elementsOf(all: SharedElements, container: (typeof sharedContainers)[number]): Iterable<NftElement> {
  return all.get(container)?.values() ?? []
}

/** The service ports of some Services, each `namespace/name`. */
export function portsOf({ servicePorts }: NftTable, services: ReadonlySet<string>): ServicePortTable[] {
  return servicePorts.filter(({ service }) => services.has(service))
}

function textOf({ lines }: NftWriter): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
