import type { NodeView, TopologyView } from '../results/events.js'
import { bridgeAddresses } from './bridgeAddresses.js'
import { didYouMean } from '../text/nearestName.js'
import { isSelector, selectPods } from './podSelector.js'
import type { Named, NamedKind, Lookup } from './named.js'

/** The names of a prepared lab, to look up references in lab.yaml. */
export interface Names {
  readonly all: readonly Named[]
  /**
   * Looks up a reference, among these kinds: one object by `name`, `namespace/name`, `kind/name` or
   * `kind/namespace/name`; or the pods that a selector (`app=web`, `app=web@node-b`) matches, sorted by name.
   */
  lookup(reference: string, kinds?: readonly NamedKind[]): Lookup
  /** The object that has an address. */
  at(address: string): Named | undefined
}

export const namedKinds: readonly NamedKind[] = ['node', 'client', 'pod', 'service']
export const placeKinds: readonly NamedKind[] = ['node', 'client', 'pod']

/** The names of a prepared lab's nodes, clients, pods and Services. */
export function namesOf(topology: TopologyView): Names {
  const unlabelled = everything(topology)
  const bySpelling = new Map<string, Unlabelled[]>()
  for (const one of unlabelled) {
    for (const spelling of spellings(one))
      bySpelling.set(spelling, [...(bySpelling.get(spelling) ?? []), one])
  }
  const named = new Map(unlabelled.map((one) => [one, { ...one, label: shortest(one, bySpelling) }]))
  const all = [...named.values()]
  const byAddress = new Map<string, Named>()
  // A pod on the host's network shares its node's addresses; they are the node's.
  for (const one of all)
    for (const address of one.allAddresses) byAddress.set(address, byAddress.get(address) ?? one)

  return {
    all,
    at: (address) => byAddress.get(address),
    lookup(reference, kinds = namedKinds) {
      if (isSelector(reference)) {
        return selectPods(reference, all, (node) => this.lookup(node, ['node']))
      }
      const candidates = (bySpelling.get(reference) ?? []).flatMap((one) => named.get(one) ?? [])
      const fitting = candidates.filter((one) => kinds.includes(one.kind))
      const [first, second] = fitting
      if (first && !second) return { found: [first] }
      if (first) return { problem: `"${reference}" means more than one thing`, hint: choices(fitting) }
      return { ...unknown(reference, candidates, all, kinds) }
    },
  }
}

type Unlabelled = Omit<Named, 'label'>

function everything(topology: TopologyView): Unlabelled[] {
  return [
    ...topology.nodes.map((node) => ({
      kind: 'node' as const,
      name: node.name,
      addresses: node.addresses,
      allAddresses: nodeAddresses(node),
    })),
    ...topology.clients.map(({ name, addresses }) => ({
      kind: 'client' as const,
      name,
      addresses,
      allAddresses: addresses,
    })),
    ...topology.pods.map((pod) => ({
      kind: 'pod' as const,
      name: pod.name,
      namespace: pod.namespace,
      addresses: pod.addresses,
      allAddresses: pod.addresses,
      pod,
    })),
    ...topology.services.map((service) => {
      const addresses = service.clusterIPs.filter((address) => address !== 'None' && address !== '')
      const allAddresses = [...addresses, ...service.externalIPs]
      const { name, namespace } = service
      return { kind: 'service' as const, name, namespace, addresses, allAddresses, service }
    }),
  ]
}

/** A pod on the node's own bridge sees masqueraded packets come from the bridge, which is the node's too. */
function nodeAddresses(node: NodeView): string[] {
  return [...node.addresses, ...bridgeAddresses(node.podCIDRs)]
}

function spellings(one: Unlabelled): string[] {
  const short = [one.name, `${one.kind}/${one.name}`]
  if (one.namespace === undefined) return short
  const full = `${one.namespace}/${one.name}`
  return [one.name, full, `${one.kind}/${one.name}`, `${one.kind}/${full}`]
}

function shortest(one: Unlabelled, bySpelling: ReadonlyMap<string, readonly Unlabelled[]>): string {
  const mine = spellings(one)
  return mine.find((spelling) => bySpelling.get(spelling)?.length === 1) ?? mine.at(-1) ?? one.name
}

function choices(candidates: readonly Named[]): string {
  return `write ${candidates.map((one) => one.label).join(' or ')}`
}

const kindWords: Readonly<Record<NamedKind, string>> = {
  node: 'node',
  client: 'client',
  pod: 'pod',
  service: 'Service',
}

function unknown(
  reference: string,
  candidates: readonly Named[],
  all: readonly Named[],
  kinds: readonly NamedKind[],
): { problem: string; hint?: string | undefined } {
  const wanted = kinds
    .map((kind) => kindWords[kind])
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
  const [other] = candidates
  if (other) return { problem: `"${reference}" is a ${kindWords[other.kind]}; a ${wanted} is needed here` }
  const known = all.filter((one) => kinds.includes(one.kind)).flatMap((one) => [one.name, one.label])
  return { problem: `there is no ${wanted} named "${reference}"`, hint: didYouMean(reference, known) }
}
