import type { IncomingMessage, ServerResponse } from 'node:http'
import { jsonAnswer, objectAnswer, textAnswer, type Answer } from './answer.js'
import { authorize } from '../../apiserver/authorize.js'
import {
  discoverCore,
  discoverGroup,
  discoverGroups,
  discoverResources,
  type DiscoveryAnswer,
} from '../../apiserver/discovery.js'
import { prefersYaml } from '../../apiserver/accept.js'
import { negotiateForm, writeList, writeObject } from '../../apiserver/form.js'
import { listObjects } from '../../apiserver/list.js'
import { flag, parseListOptions } from '../../apiserver/listOptions.js'
import { openApi } from '../../apiserver/openapi/document.js'
import { openApiV2 } from '../../apiserver/openapi/documentV2.js'
import { isReview } from '../../apiserver/review.js'
import { deprecations } from '../../apiserver/resources.js'
import { parseRoute, type ResourceRoute, type Route } from '../../apiserver/route.js'
import { selection } from '../../apiserver/selection.js'
import { badRequest, methodNotAllowed, notAcceptable, notFound, noSuchPath } from '../../apiserver/status.js'
import type { Serving } from './serving.js'
import { sendLog } from './pods/log.js'
import { proxyRequest } from './pods/proxy.js'
import { parseTarget } from './target.js'
import { streamWatch } from './watch.js'
import { answerWrite } from './write.js'
import { scaleOf } from '../../apiserver/write/scale.js'
import type { KubeObject } from '../../cluster/types.js'
import { watchStart } from '../../apiserver/watchStart.js'

/** Answers one request, or starts to stream a watch on the response and returns nothing; throws a StatusError. */
export async function answerRequest(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const { method = 'GET' } = request
  const { path, query } = parseTarget(request.url ?? '/')
  const route = parseRoute(path)
  const watching = flag(query, 'watch')
  const { writer } = serving
  if (writer !== undefined)
    authorize(
      request.headers.authorization,
      { ...serving, token: writer.token },
      { method, path, route, watch: watching },
    )
  if (route.to === 'resource' && route.subresource === 'proxy') {
    await proxyRequest(serving, request, response, route)
    return undefined
  }
  if (method !== 'GET' && method !== 'HEAD') return answerWrite(serving, request, method, route, query)
  if (route.to !== 'resource') return answerDiscovery(serving, request, route, query)
  if (isReview(route.resource)) throw methodNotAllowed()
  if (route.subresource === 'log') {
    await sendLog(serving, response, route, query)
    return undefined
  }
  if (method !== 'GET' || route.name !== undefined || !watching)
    return answerRead(serving, request, route, query)
  startWatch(serving, request, response, route, query)
  return undefined
}

function answerDiscovery(
  { gitVersion, writer }: Serving,
  request: IncomingMessage,
  route: Exclude<Route, ResourceRoute>,
  query: URLSearchParams,
): Answer {
  const { accept } = request.headers
  const writable = writer !== undefined
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
        {
          paths: [
            ...['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz'],
            '/version',
          ],
        },
        true,
      )
    case 'openapi-v2':
      return { code: 200, ...openApiV2(accept) }
    case 'openapi':
      return document(openApi(route.document, accept, writable))
    case 'core':
      return document(discoverCore(accept, writable))
    case 'groups':
      return document(discoverGroups(accept, writable))
    case 'group':
      return document(discoverGroup(route.group))
    case 'resources':
      return document(discoverResources(route.group, route.version, writable))
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
    const answer = objectAnswer(request, subresourceOf(object, route) ?? writeObject(object, form), pretty)
    return { ...answer, warnings: deprecations(resource) }
  }
  const options = parseListOptions(query)
  const list = listObjects(store, resource, selection(resource, namespace, options), options)
  return { ...objectAnswer(request, writeList(list, form), pretty), warnings: deprecations(resource) }
}

/** The value of a subresource that is read; undefined for the object itself. */
function subresourceOf(object: KubeObject, { subresource }: ResourceRoute): unknown {
  switch (subresource) {
    case undefined:
    case 'status':
      return undefined
    case 'scale':
      return scaleOf(object)
    case 'exec':
    case 'attach':
    case 'portforward':
      throw badRequest('Upgrade request required')
    default:
      throw methodNotAllowed()
  }
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
  const { store, clock, watches, bookmarkSeconds, maxUnreadBytes, line } = serving
  if (prefersYaml(request.headers.accept)) throw notAcceptable(['application/json'])
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
    line,
  }
  const stop = streamWatch(response, store, watch, clock)
  watches.add(stop)
  response.on('close', () => watches.delete(stop))
}
