import type { Received } from '../client.js'
import { compared } from './compared.js'

type Fields = Record<string, unknown>

/** What the API server answered to a request, normalized. */
export interface Answer {
  readonly accepted: boolean
  readonly status?: unknown
  readonly warnings?: readonly string[]
  readonly stored?: unknown
  readonly items?: unknown
  readonly afterwards?: unknown
}

/** One recorded case: objects that are created, the answer to the last one, and one step afterwards. */
export interface Case extends Answer {
  readonly about: string
  /** Absent with `raw`. */
  readonly objects?: readonly SentObject[]
  /** The text of the body, where objects cannot hold it. */
  readonly raw?: string
  readonly validate?: 'strict' | 'warn' | 'ignore'
  /** A ServiceCIDR is deleted before the last object is sent. */
  readonly beforeLast?: string
  readonly then?: Answer & Step
  /** What kubectl prints afterwards, with ages of 0s and without the time of creation. */
  readonly show?: readonly { readonly kubectl: string; readonly output: string }[]
}

interface Step {
  readonly patch?: readonly [string, unknown]
  readonly type?: 'merge' | 'strategic' | 'json'
  readonly subresource?: string
  /** An object that replaces the one of `name`, or of its own name. */
  readonly put?: SentObject
  readonly name?: string
  /** An object of a server-side apply by `manager`. */
  readonly ssa?: SentObject
  readonly manager?: string
  /** An object of `kubectl apply`; then the objects before were applied too. */
  readonly apply?: SentObject
  readonly error?: string
  readonly delete?: string
  readonly get?: string
  readonly list?: string
  /** The object that is read afterwards. */
  readonly after?: string
}

interface SentObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

/** Sends a request to the API server of a lab. */
type Send = (method: string, path: string, body?: unknown, contentType?: string) => Promise<Received>

const plurals: Readonly<Record<string, string>> = {
  Ingress: 'ingresses',
  IngressClass: 'ingressclasses',
  IPAddress: 'ipaddresses',
  NetworkPolicy: 'networkpolicies',
  Endpoints: 'endpoints',
}
const clusterScoped = ['ServiceCIDR', 'IPAddress', 'IngressClass']
const kindOf: Readonly<Record<string, readonly [string, string]>> = {
  service: ['v1', 'Service'],
  pod: ['v1', 'Pod'],
  deployment: ['apps/v1', 'Deployment'],
  ingress: ['networking.k8s.io/v1', 'Ingress'],
  servicecidr: ['networking.k8s.io/v1', 'ServiceCIDR'],
  ipaddress: ['networking.k8s.io/v1', 'IPAddress'],
  networkpolicy: ['networking.k8s.io/v1', 'NetworkPolicy'],
}
const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
}
const levels = { strict: 'Strict', warn: 'Warn', ignore: 'Ignore' }

/** Sends the requests of a case to a new lab with a namespace; the answers have the fields of the recording. */
export async function replay(
  { objects: written = [], raw, validate = 'strict', beforeLast, then }: Case,
  namespace: string,
  send: Send,
  dryRun = false,
): Promise<Answer & { readonly then?: Answer }> {
  const query = `?fieldValidation=${levels[validate]}&fieldManager=kubectl-create${dryRun ? '&dryRun=All' : ''}`
  const objects = raw === undefined ? written : [JSON.parse(raw) as SentObject]
  let last: Received | undefined
  for (const [index, object] of objects.entries()) {
    if (beforeLast !== undefined && index === objects.length - 1)
      await send('DELETE', pathOf(beforeLast.replace(/ .*/, ''), namespace))
    last = await send('POST', collectionOf(object) + query, raw ?? object)
  }
  if (last === undefined) throw new Error('a case without objects')
  const answer = answerOf(last, objects)
  if (then === undefined) return answer
  return { ...answer, then: await step(then, objects, namespace, send) }
}

async function step(
  then: Step,
  objects: readonly SentObject[],
  namespace: string,
  send: Send,
): Promise<Answer> {
  const { after } = then
  if (then.list !== undefined) return listed(then.list, namespace, send)
  const received = await sendStep(then, namespace, send)
  const { stored, ...answer } = answerOf(received, [...objects, then.patch?.[1]])
  const shown = then.delete === undefined && stored !== undefined ? { ...answer, stored } : answer
  if (after === undefined) return shown
  const read = await send('GET', pathOf(after, namespace))
  const { code, reason } = read.json as { code?: number; reason?: string }
  return { ...shown, afterwards: read.code === 200 ? compared(read.json, objects) : { code, reason } }
}

/** Sends the request of a step. */
function sendStep(then: Step, namespace: string, send: Send): Promise<Received> {
  const { patch, type = 'merge', subresource, put, ssa, manager = 'kubectl' } = then
  if (put !== undefined) return send('PUT', `${collectionOf(put)}/${then.name ?? put.metadata.name}`, put)
  if (ssa !== undefined) {
    const path = `${collectionOf(ssa)}/${ssa.metadata.name}?fieldManager=${manager}`
    return send('PATCH', path, ssa, 'application/apply-patch+yaml')
  }
  const [target = '', body] = patch ?? [then.delete ?? then.get]
  const path = pathOf(target, namespace) + (subresource === undefined ? '' : `/${subresource}`)
  return patch === undefined
    ? send(then.delete === undefined ? 'GET' : 'DELETE', path)
    : send('PATCH', `${path}?fieldValidation=Warn&fieldManager=kubectl-patch`, body, patchTypes[type])
}

/** The fields of a recording that an answer has. */
export function answerIn({ accepted, status, warnings, stored, items, afterwards }: Answer): Answer {
  // undefined fields are absent
  return JSON.parse(JSON.stringify({ accepted, status, warnings, stored, items, afterwards })) as Answer
}

/** The objects of a list whose parent is in a namespace. */
async function listed(word: string, namespace: string, send: Send): Promise<Answer> {
  const [apiVersion, kind] = kindOf[word] ?? ['', '']
  const received = await send('GET', collectionOf({ apiVersion, kind, metadata: { name: '' } }))
  const { items } = received.json as { items: { spec?: { parentRef?: Fields } }[] }
  const own = items.filter(({ spec }) => spec?.parentRef?.['namespace'] === namespace)
  return { accepted: received.code === 200, items: own.map((item) => compared(item, [])) }
}

function answerOf({ code, headers, json }: Received, sent: readonly unknown[]): Answer {
  const value = json as Fields
  const warnings = warningsOf(headers.warning)
  const shown = warnings.length === 0 ? {} : { warnings }
  if (code >= 300) return { accepted: false, status: statusOf(value), ...shown }
  return {
    accepted: true,
    ...shown,
    ...(value['kind'] === 'Status' ? {} : { stored: compared(value, sent) }),
  }
}

/** The texts of Warning headers (RFC 7234), which node joins with commas. */
function warningsOf(header: string | undefined): string[] {
  const found = (header ?? '').matchAll(/299 - "((?:[^"\\]|\\.)*)"/gs)
  return [...found].map(([, text = '']) => text.replace(/\\(.)/gs, '$1'))
}

function statusOf({ code, reason, message, details }: Fields): unknown {
  const { name, group, kind, causes } = (details ?? {}) as Fields
  const named = Object.fromEntries(
    Object.entries({ name, group, kind }).filter(([, value]) => value !== undefined && value !== ''),
  )
  return {
    ...{ code, ...(reason === '' ? {} : { reason }), message },
    ...(Object.keys(named).length === 0 ? {} : { details: named }),
    ...(causes === undefined ? {} : { causes }),
  }
}

function collectionOf({ apiVersion, kind, metadata }: SentObject): string {
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
  const where = clusterScoped.includes(kind) ? '' : `/namespaces/${metadata.namespace ?? 'default'}`
  return `${root}${where}/${plurals[kind] ?? `${kind.toLowerCase()}s`}`
}

/** The path of an object that a step names: `service/web`. */
function pathOf(ref: string, namespace: string): string {
  const [word = '', name = ''] = ref.split('/')
  const [apiVersion, kind] = kindOf[word] ?? ['', '']
  return `${collectionOf({ apiVersion, kind, metadata: { name, namespace } })}/${name}`
}
