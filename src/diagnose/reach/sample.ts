import { createHash } from 'node:crypto'

/** Some of many items, chosen by their keys without order: the same ones each time. */
export class Sample<Item> {
  readonly #size: number
  #kept: { readonly order: string; readonly item: Item }[] = []

  constructor(size = 0) {
    this.#size = size
  }

  add(key: string, item: Item): void {
    if (this.#size === 0) return
    const order = createHash('sha1').update(key).digest('hex')
    const last = this.#kept.at(-1)
    if (this.#kept.length >= this.#size && last !== undefined && order >= last.order) return
    this.#kept = [...this.#kept, { order, item }]
      .sort((a, b) => (a.order < b.order ? -1 : 1))
      .slice(0, this.#size)
  }

  get items(): readonly Item[] {
    return this.#kept.map(({ item }) => item)
  }
}
