import type { TracedPacket } from '../../snapshot/model/packet.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { Hook } from '../model/steps.js'
import { nftTableName } from '../../snapshot/model/nft.js'
import { nftBaseChains, traverseNft } from '../nft/traverseNft.js'
import { traverseTable, type Traversal, type Verdict } from '../rules/traverse.js'
import { balancerHooks, type BalancerPart } from './balancer.js'
import { isTracking } from './tracking.js'

/** The priority of NAT of destinations, after which a host routes its own packets again. */
export const natPriority = -100

/** What iptables and connection tracking do at each hook, by priority (enum nf_ip_hook_priorities of Linux). */
const atHook: Readonly<Record<Hook, readonly (readonly [table: string, priority: number])[]>> = {
  prerouting: [
    ['raw', -300],
    ['conntrack', -200],
    ['mangle', -150],
    ['nat', natPriority],
  ],
  input: [
    ['mangle', -150],
    ['filter', 0],
    ['security', 50],
    ['nat', 100],
  ],
  forward: [
    ['mangle', -150],
    ['filter', 0],
    ['security', 50],
  ],
  output: [
    ['raw', -300],
    ['conntrack', -200],
    ['mangle', -150],
    ['nat', natPriority],
    ['filter', 0],
    ['security', 50],
  ],
  postrouting: [
    ['mangle', -150],
    ['nat', 100],
  ],
}

/** Evaluates the rules of a table or chain. */
export type Evaluate = (traversal: Traversal) => Verdict | undefined

/** Something that a packet passes at a hook. */
export type Stage = { readonly priority: number } & (
  | { readonly kind: 'conntrack' }
  /** All chains of type nat are evaluated where the kernel’s NAT is, whatever their priority. */
  | { readonly kind: 'nat'; readonly lookups: readonly Evaluate[] }
  | { readonly kind: 'rules'; readonly evaluate: Evaluate }
  | { readonly kind: 'balance'; readonly part: BalancerPart }
)

/** A table or base chain at a hook, before those of type nat are brought together; the newest table has the highest `rank`. */
interface Registered {
  readonly priority: number
  readonly rank: number
  readonly table?: string
  readonly isNat?: boolean
  readonly evaluate?: Evaluate
  readonly part?: BalancerPart
}

/** What a packet passes at the hooks of each host. It depends on the rules only, so all paths share it. */
export class Stages {
  readonly #state: TraceState
  readonly #known = new Map<string, readonly Stage[]>()
  readonly #tracking = new Map<string, boolean>()

  constructor(state: TraceState) {
    this.#state = state
  }

  /** The stages of a host at a hook, by priority. */
  at(place: string, hook: Hook, family: TracedPacket['family']): readonly Stage[] {
    const key = `${hook} ${family} ${place}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const registered = this.#registered(place, hook, family)
    const made = stagesOf(registered, this.#isTracking(place, family))
    this.#known.set(key, made)
    return made
  }

  #isTracking(place: string, family: TracedPacket['family']): boolean {
    const key = `${family} ${place}`
    const known = this.#tracking.get(key) ?? isTracking(this.#state, place, family)
    this.#tracking.set(key, known)
    return known
  }

  #registered(place: string, hook: Hook, family: TracedPacket['family']): readonly Registered[] {
    const tables = this.#state.rules.get(place)?.[family]
    const nft = this.#state.nft.get(place)
    const rank = (name: string) => nft?.order.indexOf(name) ?? -1
    const own = atHook[hook].map(([table, priority]): Registered => ({
      priority,
      rank: rank(`${family === 'IPv4' ? 'ip' : 'ip6'} ${table}`),
      table,
      isNat: table === 'nat',
      ...(tables?.has(table) === true && {
        evaluate: (traversal) => traverseTable(tables, table, traversal),
      }),
    }))
    const others = atHook[hook].flatMap(([table, priority]) =>
      [...(tables?.keys() ?? [])]
        .filter((name) => name.endsWith(`:${table}`))
        .map((name): Registered => ({
          ...{ priority, rank: -1, isNat: table === 'nat' },
          evaluate: (traversal) => tables && traverseTable(tables, name, traversal),
        })),
    )
    const isBalancing = this.#state.servers?.has(place) === true
    const balancing = (isBalancing ? (balancerHooks[hook] ?? []) : []).map(
      ([part, priority]): Registered => ({ priority, rank: -1, part }),
    )
    // of two chains of one table, too, the newer one comes first
    const chains = nft === undefined ? [] : nftBaseChains(nft, hook, family).toReversed()
    const native = chains.map((base): Registered => ({
      priority: base.priority,
      rank: rank(nftTableName(base.table)),
      isNat: base.isNat,
      evaluate: (traversal) => traverseNft(base, traversal),
    }))
    return [...own, ...others, ...native, ...balancing].sort(
      (a, b) => a.priority - b.priority || b.rank - a.rank,
    )
  }
}

/** Without connection tracking, no chain of type nat is evaluated (nf_nat_inet_fn of Linux). */
function stagesOf(registered: readonly Registered[], tracks: boolean): readonly Stage[] {
  const lookups = registered.flatMap(({ isNat, evaluate }) => (isNat === true && evaluate ? [evaluate] : []))
  return registered.flatMap(({ priority, table, isNat, evaluate, part }): Stage[] => {
    if (part !== undefined) return [{ priority, kind: 'balance', part }]
    if (table === 'conntrack') return tracks ? [{ priority, kind: 'conntrack' }] : []
    if (table === 'nat') return tracks ? [{ priority, kind: 'nat', lookups }] : []
    return isNat === true || evaluate === undefined ? [] : [{ priority, kind: 'rules', evaluate }]
  })
}
