import type { IncomingMessage, ServerResponse } from 'node:http'
import { jsonAnswer, textAnswer, type Answer } from './answer.js'
import type { Clock } from '../../clock.js'
import {
  discoverCore,
  discoverGroup,
  discoverGroups,
  discoverResources,
  type DiscoveryAnswer,
} from '../../apiserver/discovery.js'
import { negotiateForm, writeList, writeObject } from '../../apiserver/form.js'
import { listObjects } from '../../apiserver/list.js'
import { flag, parseListOptions } from '../../apiserver/listOptions.js'
import { acceptedEvent } from '../../apiserver/newEvent.js'
import { apiVersionOf, type Resource } from '../../apiserver/resources.js'
import { parseRoute, type ResourceRoute, type Route } from '../../apiserver/route.js'
import { selection } from '../../apiserver/selection.js'
import type { Store } from '../../apiserver/store.js'
import { timestamp, uidOf } from '../../apiserver/stamp.js'
import { badRequest, notFound, noSuchPath, readOnly, StatusError } from '../../apiserver/status.js'
import { streamWatch } from './watch.js'
import { watchStart } from '../../apiserver/watchStart.js'

/** What the handling of a request needs from the server. */
export interface Serving {
  readonly store: Store
  readonly gitVersion: string
  readonly bookmarkSeconds: number
  readonly maxUnreadBytes: number
  readonly clock: Clock
  /** Functions that end the running watches. */
  readonly watches: Set<() => void>
}

/** Answers one request, or starts to stream a watch on the response and returns nothing; throws a StatusError. */
export async function answerRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const { method = 'GET' } = request
  const { path, query } = parseTarget(request.url ?? '/')
  const route = parseRoute(path)
  if (method !== 'GET' && method !== 'HEAD') return answerWrite(serving, request, method, route)
  if (route.to !== 'resource') return answerDiscovery(serving, request, route, query)
  const watching = method === 'GET' && route.name === undefined && flag(query, 'watch')
  if (!watching) return answerRead(serving, request, route, query)
  startWatch(serving, request, response, route, query)
  return undefined
}

function parseTarget(url: string): { path: string; query: URLSearchParams } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = target.indexOf('?')
  const [path, search] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
  try {
    decodeURIComponent(search)
  } catch {
    throw badRequest(`invalid URL escape in the query ${search.slice(0, 200)}`)
  }
  return { path, query: new URLSearchParams(search) }
}

function answerDiscovery(
  { gitVersion }: Serving,
  request: IncomingMessage,
  route: Exclude<Route, ResourceRoute>,
  query: URLSearchParams,
): Answer {
  const { accept } = request.headers
  const document = (answer: DiscoveryAnswer | undefined) => {
    if (answer === undefined) throw noSuchPath()
    return jsonAnswer(answer.body, flag(query, 'pretty'), answer.contentType)
  }
  switch (route.to) {
    case 'health':
      return textAnswer('ok')
    case 'version':
      return jsonAnswer(versionBody(gitVersion), true)
    case 'paths':
      return jsonAnswer(
        { paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/readyz', '/version'] },
        true,
      )
    case 'core':
      return document(discoverCore(accept))
    case 'groups':
      return document(discoverGroups(accept))
    case 'group':
      return document(discoverGroup(route.group))
    case 'resources':
      return document(discoverResources(route.group, route.version))
  }
}

function versionBody(gitVersion: string) {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? []
  const platform = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`
  const unknown = { gitCommit: '', gitTreeState: '', buildDate: '', goVersion: '', compiler: '' }
  return { major, minor, gitVersion, ...unknown, platform }
}

function answerRead(
  serving: Serving,
  request: IncomingMessage,
  route: ResourceRoute,
  query: URLSearchParams,
): Answer {
  const { store, clock } = serving
  const { resource, namespace, name } = route
  const form = negotiateForm(request.headers.accept, query, name === undefined, clock.now)
  const pretty = flag(query, 'pretty')
  if (name !== undefined) {
    const object = store.get(resource, namespace, name)
    if (object === undefined) throw notFound(resource, name)
    return jsonAnswer(writeObject(object, form), pretty)
  }
  const options = parseListOptions(query)
  const list = listObjects(store, resource, selection(resource, namespace, options), options)
  return jsonAnswer(writeList(list, form), pretty)
}

// Without a timeout, the API server ends a watch after a random time of 30 to 60 minutes; here after 30 minutes.
const defaultTimeoutSeconds = 1800

function startWatch(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  { resource, namespace }: ResourceRoute,
  query: URLSearchParams,
): void {
  const { store, clock, watches, bookmarkSeconds, maxUnreadBytes } = serving
  const options = parseListOptions(query)
  const watch = {
    resource,
    selects: selection(resource, namespace, options),
    start: watchStart(options, store),
    form: negotiateForm(request.headers.accept, query, false, clock.now),
    bookmarks: options.allowWatchBookmarks,
    timeoutSeconds: options.timeoutSeconds ?? defaultTimeoutSeconds,
    bookmarkSeconds,
    maxUnreadBytes,
  }
  const stop = streamWatch(response, store, watch, clock)
  watches.add(stop)
  response.on('close', () => watches.delete(stop))
}

async function answerWrite(
  serving: Serving,
  request: IncomingMessage,
  method: string,
  route: Route,
): Promise<Answer> {
  const resource = route.to === 'resource' ? route.resource : undefined
  if (route.to !== 'resource' || resource?.plural !== 'events') throw readOnly(method, resource)
  // Clients patch a repeated Event. Events are not stored, so the client gets a 404 and posts it again.
  if (route.name !== undefined)
    throw method === 'DELETE' ? readOnly(method, resource) : notFound(resource, route.name)
  if (method !== 'POST') throw readOnly(method, resource)
  return acceptEvent(serving, resource, route.namespace ?? 'default', await bodyOf(request))
}

function acceptEvent({ store, clock }: Serving, resource: Resource, namespace: string, body: Buffer): Answer {
  const stamp = {
    uid: uidOf(resource, `${namespace}/${body.toString('base64')}`, 0),
    resourceVersion: String(store.resourceVersion),
    creationTimestamp: timestamp(clock.now()),
  }
  const event = acceptedEvent(apiVersionOf(resource), body, namespace, stamp)
  return jsonAnswer(event, false, 'application/json', 201)
}

// The API server's limit for request bodies.
const maxBodyBytes = 3 * 2 ** 20

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Read the body to the end: a client that is still writing would not see the response.
    if (length <= maxBodyBytes) chunks.push(chunk)
  }
  if (length > maxBodyBytes)
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`)
  return Buffer.concat(chunks)
}
