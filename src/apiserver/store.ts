import { isDeepStrictEqual } from 'node:util'
import type { KubeObject } from '../cluster/types.js'
import { createHistory, type StoreEvent } from './history.js'
import { withInvolvedUid, withOwnerUids, withPodUid } from './ownerUids.js'
import { resourceOf, resources, type Resource } from './resources.js'
import { serviceCIDR } from './serviceCidr.js'
import { atVersion, stamped, timestamp, uidOf } from './stamp.js'

/** The objects that the API serves; every change of any object increments one resourceVersion. */
export interface Store {
  readonly resourceVersion: number
  /** The oldest resourceVersion for which `since` and `listAt` have the later changes. */
  readonly oldest: number
  /** In the order of the keys in etcd. */
  list(resource: Resource): readonly KubeObject[]
  /** The list at a resourceVersion; undefined when that is no longer kept. */
  listAt(resource: Resource, resourceVersion: number): readonly KubeObject[] | undefined
  get(resource: Resource, namespace: string | undefined, name: string): KubeObject | undefined
  /** Every change after a resourceVersion, in order; undefined when some of them are no longer kept. */
  since(resourceVersion: number): readonly StoreEvent[] | undefined
  /** Creates or updates; an object that is equal to the stored one changes nothing. */
  apply<Kind extends KubeObject>(object: Kind): void
  /** Removes an object by kind and name; false when it does not exist. */
  remove(kind: string, namespace: string | undefined, name: string): boolean
  /** Replaces all objects (except the built-in ones) with these, with the fewest changes. */
  replace(objects: readonly KubeObject[]): void
  /** Calls the listener synchronously after each change; returns a function that unsubscribes it. */
  subscribe(listener: (event: StoreEvent) => void): () => void
}

/** Options of a store; every field has a default. */
export interface StoreOptions {
  readonly now?: () => Date
  /** How many changes a watch can fall behind before it must list again. */
  readonly historyLength?: number
  /** Objects that exist unless one of the same name is given; by default the ServiceCIDR `kubernetes`. */
  readonly builtIn?: readonly KubeObject[]
}

/** Creates a store with these objects; throws on a kind that is not served (see `resourceOf`). */
export function createStore(initial: readonly KubeObject[], options: StoreOptions = {}): Store {
  const { now = () => new Date(), historyLength = 4096, builtIn = [serviceCIDR()] } = options
  const tables = new Map<Resource, Map<string, KubeObject>>(
    resources.map((resource) => [resource, new Map()]),
  )
  const generations = new Map<string, number>()
  // of the stored objects, and of those that a replacement is about to store: owners may come after their dependents
  const uids = new Map<string, string>()
  const listeners = new Set<(event: StoreEvent) => void>()
  // Never 0: to a client that means that any state is acceptable.
  let version = 1

  const table = (resource: Resource) => tables.get(resource) ?? new Map<string, KubeObject>()
  const uidOfObject = (object: KubeObject): string => {
    const id = identity(object)
    const uid = uids.get(id) ?? object.metadata.uid ?? newUid(object, id)
    uids.set(id, uid)
    return uid
  }
  const uidOfServed = (other: KubeObject) =>
    resourceOf(other) === undefined ? undefined : uids.get(identity(other))
  const put = (written: KubeObject): StoreEvent | undefined => {
    const resource = served(written)
    const key = storeKey(resource, written.metadata.namespace, written.metadata.name)
    const previous = table(resource).get(key)
    const uid = uidOfObject(written)
    const owned = withOwnerUids(written, previous, uidOfServed)
    const object = withPodUid(withInvolvedUid(owned, previous, uidOfServed), uid)
    const at = (resourceVersion: number) => {
      const created = previous?.metadata.creationTimestamp ?? object.metadata.creationTimestamp
      return stamped(object, resource, {
        uid,
        resourceVersion: String(resourceVersion),
        creationTimestamp: created ?? timestamp(now()),
      })
    }
    if (previous !== undefined && isDeepStrictEqual(at(Number(previous.metadata.resourceVersion)), previous))
      return
    const next = at(++version)
    table(resource).set(key, next)
    return {
      type: previous ? 'MODIFIED' : 'ADDED',
      resource,
      resourceVersion: version,
      object: next,
      previous,
    }
  }
  const newUid = (object: KubeObject, id: string) => {
    const resource = served(object)
    const generation = generations.get(id) ?? 0
    generations.set(id, generation + 1)
    return uidOf(resource, storeKey(resource, object.metadata.namespace, object.metadata.name), generation)
  }

  const first = withBuiltIn(initial, builtIn)
  first.forEach(uidOfObject)
  for (const object of first) put(object)
  const history = createHistory(historyLength, version)
  const notify = (event: StoreEvent | undefined) => {
    if (event === undefined) return
    history.add(event)
    for (const listener of [...listeners]) listener(event)
  }
  const drop = (resource: Resource, key: string): boolean => {
    const previous = table(resource).get(key)
    if (previous === undefined) return false
    table(resource).delete(key)
    uids.delete(identity(previous))
    const object = atVersion(previous, ++version)
    notify({ type: 'DELETED', resource, resourceVersion: version, object, previous })
    return true
  }

  return {
    get resourceVersion() {
      return version
    },
    get oldest() {
      return history.start
    },
    list: (resource) => inKeyOrder(table(storedAs(resource))).map(shownBy(resource)),
    listAt(shown, resourceVersion) {
      const resource = storedAs(shown)
      const changes = history.since(resourceVersion)
      if (changes === undefined) return undefined
      const past = new Map(table(resource))
      for (const { resource: changed, object, previous } of changes.toReversed()) {
        if (changed !== resource) continue
        const key = storeKey(resource, object.metadata.namespace, object.metadata.name)
        if (previous === undefined) past.delete(key)
        else past.set(key, previous)
      }
      return inKeyOrder(past).map(shownBy(shown))
    },
    get(resource, namespace, name) {
      const found = table(storedAs(resource)).get(storeKey(resource, namespace, name))
      return found && shownBy(resource)(found)
    },
    since: (resourceVersion) => history.since(resourceVersion),
    apply: (object) => {
      notify(put(object))
    },
    remove(kind, namespace, name) {
      const found = resources.filter((resource) => resource.kind === kind)
      return found.some((resource) => drop(resource, storeKey(resource, namespace, name)))
    },
    replace(objects) {
      const wanted = withBuiltIn(objects, builtIn)
      const kept = new Map(wanted.map((object) => [identity(object), object]))
      for (const [resource, present] of tables)
        for (const [key, object] of [...present])
          if (!isKept(object, kept.get(identity(object)))) drop(resource, key)
      wanted.forEach(uidOfObject)
      for (const object of wanted) notify(put(object))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The resource whose objects a resource serves: its own, or those of another one in another form. */
export function storedAs(resource: Resource): Resource {
  return resource.view?.of ?? resource
}

/** Gives stored objects the form of a resource. */
export function shownBy({ view }: Resource): (stored: KubeObject) => KubeObject {
  return view?.show ?? ((stored) => stored)
}

function served(object: KubeObject): Resource {
  const resource = resourceOf(object)
  if (resource === undefined) throw new TypeError(`no resource serves ${object.apiVersion} ${object.kind}`)
  return resource
}

function storeKey(resource: Resource, namespace: string | undefined, name: string): string {
  return resource.namespaced ? `${namespace ?? 'default'}/${name}` : name
}

function identity(object: KubeObject): string {
  const resource = served(object)
  const { namespace, name } = object.metadata
  return `${resource.group}/${resource.plural}/${storeKey(resource, namespace, name)}`
}

/** A deletion is never undone: an object that is not being deleted is not the one that was, but another of its name. */
function isKept(present: KubeObject, wanted: KubeObject | undefined): boolean {
  if (wanted === undefined) return false
  return present.metadata.deletionTimestamp === undefined || wanted.metadata.deletionTimestamp !== undefined
}

function withBuiltIn(objects: readonly KubeObject[], builtIn: readonly KubeObject[]): readonly KubeObject[] {
  const given = new Set(objects.map(identity))
  return [...builtIn.filter((object) => !given.has(identity(object))), ...objects]
}

function inKeyOrder(objects: ReadonlyMap<string, KubeObject>): readonly KubeObject[] {
  return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object)
}
