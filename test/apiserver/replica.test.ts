import fc from 'fast-check'
import t from 'tap'
import { findResource } from '../../src/apiserver/resources.js'
import type { ApiServer } from '../../src/host/kubeApi/server.js'
import type { Store } from '../../src/apiserver/store.js'
import type { Service } from '../../src/cluster/types.js'
import { ask, watch, type OpenWatch, type WatchedEvent } from './client.js'
import { service } from './objects.js'
import { serve } from './serve.js'

type Change =
  | { readonly kind: 'apply'; readonly name: string; readonly port: number; readonly hidden: boolean }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'replace'; readonly names: readonly string[]; readonly port: number }
  | { readonly kind: 'cut' }

const name = fc.constantFrom('a', 'b', 'c', 'd')
const port = fc.integer({ min: 1, max: 3 })
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('apply' as const), name, port, hidden: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), names: fc.uniqueArray(name), port }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
)

const selector = 'labelSelector=%21hidden'
const labels = (hidden: boolean) => (hidden ? { hidden: 'yes' } : {})
const made = (name: string, port: number, hidden: boolean): Service =>
  service(name, { ports: [{ port }] }, labels(hidden))

/**
 * What informers do: a copy of the list, updated by the events of watches. Each watch resumes where the last one
 * ended.
 */
class Replica {
  readonly objects = new Map<string, string>()
  lists = 0
  #version = ''
  #watch: OpenWatch | undefined
  #read = 0
  readonly #server: ApiServer
  readonly #streaming: boolean

  constructor(server: ApiServer, streaming: boolean) {
    this.#server = server
    this.#streaming = streaming
  }

  /** Reads the events so far, cuts the connection and reconnects. */
  async reconnect(): Promise<void> {
    this.#take()
    this.#watch?.cut()
    await this.#watch?.ended
    await this.#connect()
  }

  /** Reads until an object of this name arrives, with as many new lists as needed. */
  async reach(name: string): Promise<void> {
    for (;;) {
      if (this.#watch === undefined || this.#version === '') await this.#connect()
      // A new list may contain it already.
      if (this.objects.has(name)) return
      await this.#watch?.until(({ type, object }) => type === 'ERROR' || object.metadata.name === name)
      this.#take()
    }
  }

  cut(): void {
    this.#watch?.cut()
  }

  async #connect(): Promise<void> {
    if (this.#version === '' && this.#streaming) {
      this.lists += 1
      this.objects.clear()
      const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
      await this.#open(query)
      await this.#watch?.until(({ type }) => type === 'BOOKMARK')
      this.#take()
      return
    }
    if (this.#version === '') await this.#list()
    await this.#open(`resourceVersion=${this.#version}`)
  }

  async #list(): Promise<void> {
    this.lists += 1
    this.objects.clear()
    const { json } = await ask(this.#server, `/api/v1/services?${selector}`)
    const list = json as { metadata: { resourceVersion: string }; items: WatchedEvent['object'][] }
    for (const item of list.items) this.objects.set(item.metadata.name, content(item))
    this.#version = list.metadata.resourceVersion
  }

  async #open(query: string): Promise<void> {
    this.#read = 0
    this.#watch = await watch(this.#server, `/api/v1/services?watch=true&${selector}&${query}`)
  }

  #take(): void {
    const events = this.#watch?.events ?? []
    for (const { type, object } of events.slice(this.#read)) {
      if (type === 'ERROR') {
        t.equal(object['code'], 410)
        this.#version = ''
        return
      }
      this.#version = object.metadata.resourceVersion
      if (type === 'DELETED') this.objects.delete(object.metadata.name)
      else if (type !== 'BOOKMARK') this.objects.set(object.metadata.name, content(object))
    }
    this.#read = events.length
  }
}

function content(object: { metadata: unknown; spec?: unknown }): string {
  return JSON.stringify([object.metadata, object.spec])
}

function carryOut(store: Store, change: Exclude<Change, { kind: 'cut' }>): void {
  if (change.kind === 'apply') store.apply(made(change.name, change.port, change.hidden))
  else if (change.kind === 'remove') store.remove('Service', 'lab', change.name)
  else store.replace(change.names.map((name) => made(name, change.port, false)))
}

void t.test('a replica that is disconnected at any time always converges to the store', async (t) => {
  const services = findResource('', 'v1', 'services')
  if (services === undefined) throw new Error('no services')
  let relists = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), fc.boolean(), async (changes, streaming) => {
      const ends: (() => Promise<void>)[] = []
      const { store, server } = await serve({ after: (end) => void ends.push(end) }, [], { historyLength: 3 })
      const replica = new Replica(server, streaming)
      try {
        for (const step of changes) {
          if (step.kind === 'cut') await replica.reconnect()
          else carryOut(store, step)
        }
        store.apply(made('last', 1, false))
        await replica.reconnect()
        store.apply(made('very-last', 1, false))
        await replica.reach('very-last')
        const expected = store
          .list(services)
          .filter(({ metadata }) => metadata.labels?.['hidden'] === undefined)
          .map((object) => [object.metadata.name, content(object)])
        const seen = [...replica.objects].sort(([a], [b]) => (a < b ? -1 : 1))
        t.strictSame(seen, expected)
        relists += replica.lists - 1
        return JSON.stringify(seen) === JSON.stringify(expected)
      } finally {
        replica.cut()
        await Promise.all(ends.map((end) => end()))
      }
    }),
    { numRuns: 150 },
  )
  t.ok(relists > 0, `some changes had expired and were listed again (${relists} times)`)
})
