import { namespacedName } from '../../cluster/namespacedName.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { fieldName, networkPolicyAgent, type Meaning, type RuleMeaning } from '../meaning.js'
import { hookEnd } from './baseChains.js'
import { tableChanges, type Backend, type SetChange } from './changes.js'
import { chainNames, hooks } from './names.js'
import { nftRule, nftSetName } from './nftRule.js'
import { meaningOfPod } from './podChains.js'
import { longestComment, type PolicyChainRule, type PolicySet } from './policyChains.js'
import { intervalTexts } from './ranges.js'
import { remembered } from './remembered.js'
import type { NodeTables, PodChain } from './state.js'

/** The table of kube-router in nftables, of one family (npc_nftables.go). */
export function policyTable(family: IpFamily): string {
  return family === 'IPv4' ? 'ip kube-router-filter-ipv4' : 'ip6 kube-router-filter-ipv6'
}

/** Input of `nft -f` that changes the table of a node. */
export interface PolicyTransaction {
  /** One transaction; empty if nothing changes. */
  readonly text: string
  /** Chains that it empties: older kernels delete them only after it (see `deleteChains`). */
  readonly emptied: readonly string[]
  /** The chains that the table has then. */
  readonly chains: ReadonlySet<string>
}

/** The verdict map of a table: the address of a pod → its chain. */
export const podMap = 'KUBE-POD-FW'

/** Changes the table of one family; undefined is that of a cluster without policies, which has none. */
export function policyTransaction(
  before: NodeTables | undefined,
  after: NodeTables | undefined,
  family: IpFamily,
): PolicyTransaction {
  const { commands, emptied } = changesOf(before, after, family)
  const chains =
    after === undefined ? [] : [...after.policies.chains.keys(), ...chainsOf(family)(after).keys()]
  return { text: commands.map(({ line }) => `${line}\n`).join(''), emptied, chains: new Set(chains) }
}

/** What the lines of the first transaction mean: `add rule ip kube-router-filter-ipv4 KUBE-POD-FW-…`. */
export function nftMeanings(tables: NodeTables, family: IpFamily): Map<string, RuleMeaning> {
  return new Map(
    changesOf(undefined, tables, family).commands.flatMap(
      ({ line, spec = line, meaning }): (readonly [string, RuleMeaning])[] =>
        meaning === undefined ? [] : [[line, { spec, ...meaning }]],
    ),
  )
}

/** A command of nft, and what it is for; `spec` is a rule alone. */
interface Command {
  readonly line: string
  readonly spec?: string
  readonly meaning?: Meaning
}

function changesOf(
  before: NodeTables | undefined,
  after: NodeTables | undefined,
  family: IpFamily,
): { readonly commands: readonly Command[]; readonly emptied: readonly string[] } {
  const { table, command, addChain, changeSet } = wordsOf(family)
  if (after === undefined)
    return {
      commands: before === undefined ? [] : [{ line: `delete table ${policyTable(family)}` }],
      emptied: [],
    }
  const backend = backends[family]
  const { sets, goneSets, chains, goneChains } = tableChanges(before, after, chainsOf(family), backend)
  const pods = podChanges(before?.pods ?? [], after.pods)
  return {
    commands: [
      ...(before === undefined ? table() : []),
      ...pods.removed.map(({ of }) => command('delete element', podMap, `{ ${of.address} }`)),
      ...sets.flatMap(changeSet),
      // a chain exists before rules and elements name it
      ...chains.map(({ name, isNew }) => (isNew ? addChain(name) : command('flush chain', name))),
      ...chains.flatMap(({ name, rules }) =>
        rules.flatMap((rule) =>
          backend.linesOf(rule).map((spec): Command => ({
            ...command('add rule', name, spec),
            ...{ spec, meaning: rule.meaning },
          })),
        ),
      ),
      ...pods.added.map((pod): Command => ({
        ...command('add element', podMap, `{ ${podElement(pod)} }`),
        meaning: meaningOfPod(pod.of.pod)('packets of the pod, and packets to it'),
      })),
      ...goneChains.map((name) => command('flush chain', name)),
      ...goneSets.map((name) => command('delete set', nftSetName(name))),
    ],
    emptied: goneChains,
  }
}

/** Input of `nft -f` that deletes chains that nothing names. */
export function deleteChains(names: readonly string[], family: IpFamily): string {
  const { command } = wordsOf(family)
  return names.map((name) => `${command('delete chain', name).line}\n`).join('')
}

/** A lookup of the pod of a packet by its address; iptables has a jump for each pod in its place. */
interface Dispatch {
  readonly spec: string
  readonly meaning: Meaning
}

type NftPolicyRule = PolicyChainRule | Dispatch

/** Rules that did not change are the same values: their text is kept. */
const backends: Readonly<Record<IpFamily, Backend<NftPolicyRule>>> = {
  IPv4: backendOf('IPv4'),
  IPv6: backendOf('IPv6'),
}

function backendOf(family: IpFamily): Backend<NftPolicyRule> {
  return {
    linesOf: remembered((rule: NftPolicyRule) => ['spec' in rule ? rule.spec : nftRule(rule, family)]),
    entriesOf: remembered(
      (set: PolicySet) => new Set(set.kind === 'pods' ? set.addresses : intervalTexts(set.ranges)),
    ),
  }
}

/** Elements of one command: `nodeTables` splits long texts between commands. */
const mostElements = 200

function wordsOf(family: IpFamily) {
  const table = policyTable(family)
  const type = family === 'IPv4' ? 'ipv4_addr' : 'ipv6_addr'
  const command = (words: string, name: string, rest = ''): Command => ({
    line: `${words} ${table} ${name}${rest === '' ? '' : ` ${rest}`}`,
  })
  const elements = (words: string, name: string, entries: readonly string[]) =>
    Array.from({ length: Math.ceil(entries.length / mostElements) }, (_, index) => {
      const some = entries.slice(index * mostElements, (index + 1) * mostElements)
      return command(words, name, `{ ${some.join(', ')} }`)
    })
  return {
    command,
    table: (): Command[] => [
      { line: `add table ${table} { comment "rules of NetworkPolicies" ; }` },
      command('add map', podMap, `{ type ${type} : verdict ; }`),
    ],
    addChain: (name: string): Command => {
      const hook = hooks.find((one) => chainNames[one] === name)
      // after DNAT, at the priority of kube-proxy's checks
      const options = hook === undefined ? '' : `{ type filter hook ${hook.toLowerCase()} priority 0 ; }`
      return command('add chain', name, options)
    },
    changeSet: ({ name: given, set, isNew, added, removed }: SetChange): Command[] => {
      const name = nftSetName(given)
      const { meaning, kind } = set
      const options = `{ type ${type} ;${kind === 'ranges' ? ' flags interval ;' : ''} comment "${aboutSet(set)}" ; }`
      return [
        ...(isNew ? [command('add set', name, options)] : []),
        ...elements('delete element', name, removed),
        ...elements('add element', name, added).map((one) => ({ ...one, meaning })),
      ]
    },
  }
}

/** `default/web spec.podSelector` */
function aboutSet({ meaning: { object } }: PolicySet): string {
  return object === undefined ? '' : `${fieldName(object)} ${object.field}`.slice(0, longestComment)
}

const podElement = remembered(({ of: { pod, address }, name }: PodChain): string => {
  const named = namespacedName(pod).slice(0, longestComment)
  return `${address} comment "${named}" : jump ${name}`
})

/** Pods whose elements come and go: one with another address or another chain is replaced. Of pods with one address the first counts. */
function podChanges(old: readonly PodChain[], now: readonly PodChain[]) {
  const byElement = (pods: readonly PodChain[]) => {
    const byAddress = new Map(pods.toReversed().map((pod) => [pod.of.address, pod]))
    return new Map(
      pods.filter((pod) => byAddress.get(pod.of.address) === pod).map((pod) => [podElement(pod), pod]),
    )
  }
  const [was, is] = [byElement(old), byElement(now)]
  return {
    removed: [...was].flatMap(([element, pod]) => (is.has(element) ? [] : [pod])),
    added: [...is].flatMap(([element, pod]) => (was.has(element) ? [] : [pod])),
  }
}

/** The chains of the hooks, those of the node's pods, and those that all of them share. */
function chainsOf(family: IpFamily): (tables: NodeTables) => ReadonlyMap<string, readonly NftPolicyRule[]> {
  const ip = family === 'IPv4' ? 'ip' : 'ip6'
  const lookUp = (side: 'saddr' | 'daddr', why: string): Dispatch => ({
    spec: `${ip} ${side} vmap @${podMap}`,
    meaning: { owner: networkPolicyAgent, why },
  })
  const from = lookUp('saddr', 'finds the pod that sends the packet')
  const to = lookUp('daddr', 'finds the pod that gets the packet')
  return ({ pods, shared, toServices }) =>
    new Map<string, readonly NftPolicyRule[]>([
      [chainNames.INPUT, [...toServices, from, ...hookEnd()]],
      [chainNames.FORWARD, [from, to, ...hookEnd()]],
      [chainNames.OUTPUT, [from, to, ...hookEnd()]],
      ...shared,
      ...pods.map(({ name, rules }) => [name, rules] as const),
    ])
}
