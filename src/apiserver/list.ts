import type { KubeObject } from '../cluster/types.js'
import type { ListOptions } from './listOptions.js'
import type { Resource } from './resources.js'
import type { Selects } from './selection.js'
import { badRequest, continueExpired, tooLarge, tooOld } from './status.js'
import type { Store } from './store.js'

/** A list, before conversion to the form that the client accepts. */
export interface ObjectList {
  readonly resource: Resource
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly KubeObject[]
}

/**
 * Answers a list by the resourceVersion and paging rules of the API; throws a 410 Status when the requested state is
 * no longer kept, a 504 one when it is in the future.
 */
export function listObjects(
  store: Store,
  resource: Resource,
  selects: Selects,
  options: ListOptions,
): ObjectList {
  const token = options.continue === '' ? undefined : parseToken(options.continue)
  const at = token?.at ?? exactVersion(options, store)
  const version = at ?? store.resourceVersion
  const known = at === undefined ? store.list(resource) : store.listAt(resource, at)
  if (known === undefined) {
    if (token === undefined) throw tooOld(version, store.oldest)
    throw continueExpired(formatToken({ at: undefined, start: token.start }))
  }
  const selected = known.filter(selects)
  const rest = token === undefined ? selected : selected.filter((object) => objectOrder(object) > token.start)
  // The API server answers resourceVersion=0 from a cache, without paging.
  const limit = options.limit === 0 || options.resourceVersion === 0 ? rest.length : options.limit
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const left = rest.length - items.length
  const paging =
    left === 0 || last === undefined
      ? {}
      : {
          continue: formatToken({ at: version, start: objectOrder(last) }),
          // With a selector the API server does not count objects that it has not read.
          ...(options.labelSelector + options.fieldSelector === '' ? { remainingItemCount: left } : {}),
        }
  return { resource, metadata: { resourceVersion: String(version), ...paging }, items }
}

/** The exact resourceVersion of the list; undefined when the newest state is acceptable. */
function exactVersion(options: ListOptions, store: Store): number | undefined {
  const { resourceVersion, resourceVersionMatch: match } = options
  if (resourceVersion === undefined || resourceVersion === 0) return undefined
  if (resourceVersion > store.resourceVersion) throw tooLarge(resourceVersion, store.resourceVersion)
  return match === 'Exact' || (match === '' && options.limit > 0) ? resourceVersion : undefined
}

interface Token {
  /** The resourceVersion of the list's first page; undefined: continue in the newest state. */
  readonly at: number | undefined
  /** The key of the last object on the previous page. */
  readonly start: string
}

function formatToken({ at = -1, start }: Token): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: at, start })).toString('base64url')
}

function parseToken(text: string): Token {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof value === 'object' && value !== null && 'rv' in value && 'start' in value) {
      const { rv, start } = value
      if (Number.isSafeInteger(rv) && typeof start === 'string')
        return { at: rv === -1 ? undefined : (rv as number), start }
    }
  } catch {
    // Not base64 of JSON: rejected below.
  }
  throw badRequest('continue key is not valid: this server did not issue it')
}

function objectOrder({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
}
