import type { IncomingMessage } from 'node:http'
import { negotiateForm, writeObject } from '../../apiserver/form.js'
import { flag } from '../../apiserver/listOptions.js'
import { kinds } from '../../cluster/kinds/index.js'
import { acceptedEvent } from '../../apiserver/newEvent.js'
import { apiVersionOf, deprecations } from '../../apiserver/resources.js'
import { isReview, reviewed } from '../../apiserver/review.js'
import type { ResourceRoute, Route } from '../../apiserver/route.js'
import { timestamp, uidOf } from '../../apiserver/stamp.js'
import { methodNotAllowed, notFound, readOnly, requestTooLarge } from '../../apiserver/status.js'
import { carryOut, deleteAll } from '../../apiserver/write/carryOut.js'
import { parseWriteOptions } from '../../apiserver/write/writeOptions.js'
import type { WriteRequest } from '../../apiserver/write/writeRequest.js'
import { jsonAnswer, objectAnswer, type Answer } from './answer.js'
import type { Serving } from './serving.js'

// The API server's limit for request bodies.
const maxBodyBytes = 3 * 2 ** 20

/** The body of a request; throws a 413 Status when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Read the body to the end: a client that is still writing would not see the response.
    if (length <= maxBodyBytes) chunks.push(chunk)
  }
  if (length > maxBodyBytes) throw requestTooLarge(`limit is ${maxBodyBytes}`)
  return Buffer.concat(chunks)
}

/** Answers a request with any method except GET and HEAD; throws a StatusError. */
export async function answerWrite(
  serving: Serving,
  request: IncomingMessage,
  method: string,
  route: Route,
  query: URLSearchParams,
): Promise<Answer> {
  if (route.to !== 'resource') throw readOnly(method)
  if (route.resource.plural === 'events') return answerEvent(serving, request, method, route)
  if (isReview(route.resource)) {
    if (method !== 'POST') throw methodNotAllowed()
    const answer = reviewed(route.resource, await bodyOf(request), serving.writer !== undefined)
    return jsonAnswer(answer, false, 'application/json', 201)
  }
  if (serving.writer === undefined) throw readOnly(method, route.resource)
  // The API server itself writes the objects of the other kinds.
  const resource = kinds.find((kind) => kind === route.resource)
  if (resource === undefined)
    throw methodNotAllowed(`only the controllers of a lab write ${route.resource.plural}`)
  if (!isWriteMethod(method)) throw methodNotAllowed()
  const { 'content-type': contentType, 'user-agent': userAgent } = request.headers
  const written: WriteRequest = {
    ...route,
    resource,
    method,
    query,
    contentType,
    body: await bodyOf(request),
    options: parseWriteOptions({ method, query, contentType, userAgent }),
    now: timestamp(serving.clock.now()),
  }
  const form = negotiateForm(request.headers.accept, query, false, serving.clock.now)
  if (method === 'DELETE' && route.name === undefined)
    return jsonAnswer(await deleteAll(serving.store, serving.writer, written), flag(query, 'pretty'))
  const { code, value, object, warnings } = await carryOut(serving.store, serving.writer, written)
  const shown = value === object ? writeObject(object, form) : value
  const answer = objectAnswer(request, shown, flag(query, 'pretty'), code)
  return { ...answer, warnings: [...deprecations(resource), ...warnings] }
}

function isWriteMethod(method: string): boolean {
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
}

/** Clients patch a repeated Event: Events are not stored, so that they post it again. */
async function answerEvent(
  { store, clock }: Serving,
  request: IncomingMessage,
  method: string,
  { resource, namespace = 'default', name }: ResourceRoute,
): Promise<Answer> {
  if (name !== undefined) throw method === 'DELETE' ? readOnly(method, resource) : notFound(resource, name)
  if (method !== 'POST') throw readOnly(method, resource)
  const body = await bodyOf(request)
  const stamp = {
    uid: uidOf(resource, `${namespace}/${body.toString('base64')}`, 0),
    resourceVersion: String(store.resourceVersion),
    creationTimestamp: timestamp(clock.now()),
  }
  const event = acceptedEvent(apiVersionOf(resource), body, namespace, stamp)
  return jsonAnswer(event, false, 'application/json', 201)
}
