import { allElements, elementsOf, keyText } from '../../netfilter/nft/elements.js'
import type { NftElement, NftElements } from '../../netfilter/nft/model.js'
import type { TracedIpset } from '../../snapshot/model/balancing.js'
import type { NftTable } from '../../snapshot/model/nft.js'

/** What packets have changed on one host along one path: lists of the match recent, ipsets, sets and maps of nftables, limits. */
export class HostState {
  readonly recent: RecentLists
  readonly ipsets: Ipsets
  /** Whether nothing has happened on the host before. */
  readonly isPlanned: boolean
  readonly #elements = new Map<string, NftElements>()
  readonly #tokens = new Map<unknown, number>()

  constructor(
    recent: ReadonlyMap<string, ReadonlySet<string>> | undefined,
    ipsets: ReadonlyMap<string, TracedIpset> | undefined,
    isPlanned = false,
  ) {
    this.recent = new RecentLists(recent)
    this.ipsets = new Ipsets(ipsets)
    this.isPlanned = isPlanned
  }

  /** The same state, whose changes do not change this one. */
  copy(): HostState {
    const copied = new HostState(this.recent.earlier, this.ipsets.earlier, this.isPlanned)
    for (const [key, elements] of this.#elements) copied.#elements.set(key, elements)
    for (const [bucket, used] of this.#tokens) copied.#tokens.set(bucket, used)
    copied.recent.take(this.recent)
    copied.ipsets.take(this.ipsets)
    return copied
  }

  /** How many tokens of the bucket of a limit packets of this path have taken, at most. */
  usedTokens(bucket: unknown): number {
    return this.#tokens.get(bucket) ?? 0
  }

  /** A packet takes a token, or possibly does. */
  useToken(bucket: unknown): void {
    this.#tokens.set(bucket, this.usedTokens(bucket) + 1)
  }

  /** The elements of a set or map of a table; undefined if there is none. */
  elements({ family, name, sets }: NftTable, set: string): NftElements | undefined {
    return this.#elements.get(`${family} ${name} ${set}`) ?? sets.get(set)?.elements
  }

  /** Adds or deletes an element. */
  changeElement(table: NftTable, set: string, element: NftElement, operation: 'add' | 'delete'): void {
    const before = this.elements(table, set)
    if (before === undefined) return
    const key = keyText(element.key)
    const others = [...allElements(before)].filter((one) => keyText(one.key) !== key)
    // what is there stays: add changes its timeout at most
    const kept = [...allElements(before)].find((one) => keyText(one.key) === key) ?? element
    const after = operation === 'add' ? [...others, kept] : others
    this.#elements.set(`${table.family} ${table.name} ${set}`, elementsOf(after))
  }
}

/** The lists of the match recent. */
class RecentLists {
  readonly earlier: ReadonlyMap<string, ReadonlySet<string>>
  /** How many packets of this path have added an address, by list and address. */
  readonly #added = new Map<string, number>()
  readonly #removed = new Set<string>()
  readonly #unsure = new Set<string>()

  constructor(earlier: ReadonlyMap<string, ReadonlySet<string>> = new Map()) {
    this.earlier = earlier
  }

  /** Takes over the changes of another one. */
  take(other: RecentLists): void {
    for (const [key, hits] of other.#added) this.#added.set(key, hits)
    for (const key of other.#removed) this.#removed.add(key)
    for (const list of other.#unsure) this.#unsure.add(list)
  }

  /** How often packets of this path were added. */
  hits(list: string, address: string): number {
    return this.#added.get(`${list} ${address}`) ?? 0
  }

  /** Whether an earlier connection has added an address; when is not known. */
  isEarlier(list: string, address: string): boolean {
    return this.earlier.get(list)?.has(address) === true && !this.#removed.has(`${list} ${address}`)
  }

  /** Whether a list has any address. */
  hasSome(list: string): boolean {
    return (
      (this.earlier.get(list)?.size ?? 0) > 0 ||
      [...this.#added].some(([key, hits]) => hits > 0 && key.startsWith(`${list} `))
    )
  }

  /** Whether it is not known if a packet of this path has changed a list. */
  isUnsure(list: string): boolean {
    return this.#unsure.has(list)
  }

  add(list: string, address: string): void {
    this.#added.set(`${list} ${address}`, this.hits(list, address) + 1)
  }

  remove(list: string, address: string): void {
    this.#added.delete(`${list} ${address}`)
    this.#removed.add(`${list} ${address}`)
  }

  doubt(list: string): void {
    this.#unsure.add(list)
  }
}

/** The ipsets of a host. */
class Ipsets {
  readonly earlier: ReadonlyMap<string, TracedIpset> | undefined
  readonly #changed = new Map<string, TracedIpset>()

  constructor(earlier: ReadonlyMap<string, TracedIpset> | undefined) {
    this.earlier = earlier
  }

  /** Takes over the changes of another one. */
  take(other: Ipsets): void {
    for (const [name, set] of other.#changed) this.#changed.set(name, set)
  }

  get(name: string): TracedIpset | undefined {
    return this.#changed.get(name) ?? this.earlier?.get(name)
  }

  /** Adds or deletes an entry; `undefined` where it is not known which one. */
  change(name: string, entry: string | undefined, operation: 'add' | 'del'): void {
    const before = this.get(name)
    if (before === undefined) return
    if (entry === undefined) {
      this.#changed.set(name, { ...before, unknown: 'a rule has changed its entries' })
      return
    }
    const entries = new Set(before.entries)
    if (operation === 'add') entries.add(entry)
    else entries.delete(entry)
    this.#changed.set(name, { ...before, entries })
  }
}
