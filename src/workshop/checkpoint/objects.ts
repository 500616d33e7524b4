import { isDeepStrictEqual } from 'node:util'
import pLimit from 'p-limit'
import { apiVersionOf, type Resource } from '../../apiserver/resources.js'
import { kinds } from '../../cluster/kinds/index.js'
import { callApi } from '../../host/kubeApi/callApi.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { apiTarget, resourcePath } from '../../up/api.js'
import type { UpLab } from '../../up/upLab.js'
import type { SavedObject } from './types.js'

/** Kinds that controllers write, or that have no wanted state. */
const others = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'ControllerRevision',
  'IPAddress',
  'Lease',
  'ServiceCIDR',
])

const saved: readonly Resource[] = kinds.filter(({ kind }) => !others.has(kind))

/** The objects of a lab that a person may have written: no objects of controllers. */
export async function readObjects(up: UpLab): Promise<readonly SavedObject[]> {
  const limit = pLimit(4)
  const lists = saved.map((resource) =>
    limit(async () => {
      const { items = [] } = (await call(up, 'GET', resourcePath(resource, undefined))) as {
        items?: SavedObject[] | null
      }
      return (items ?? []).map((item) => ({
        ...item,
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
      }))
    }),
  )
  return (await Promise.all(lists))
    .flat()
    .filter(({ metadata }) => (metadata.ownerReferences ?? []).length === 0)
}

/** What was done with an object, and why it failed. */
export interface ObjectChange {
  readonly what: string
  readonly problem?: string
}

/** Makes the objects of a lab those of a checkpoint; one entry for each that differs. */
export async function restoreObjects(
  up: UpLab,
  wanted: readonly SavedObject[],
): Promise<readonly ObjectChange[]> {
  const present = await readObjects(up)
  const changes: ObjectChange[] = []
  const carryOut = async (verb: string, object: SavedObject, act: () => Promise<unknown>) => {
    const { kind, metadata } = object
    const what = `${kind.toLowerCase()}/${metadata.name} ${verb}`
    try {
      await act()
      changes.push({ what })
    } catch (error) {
      changes.push({ what, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  for (const object of wanted) {
    const now = present.find((one) => isSame(one, object))
    if (now === undefined)
      await carryOut('created', object, () => call(up, 'POST', pathOf(object, false), settled(object)))
    else if (!isDeepStrictEqual(settled(now), settled(object)))
      await carryOut('changed', object, () => call(up, 'PUT', pathOf(object, true), settled(object)))
  }
  for (const object of present)
    if (!wanted.some((one) => isSame(one, object)))
      await carryOut('deleted', object, () => call(up, 'DELETE', pathOf(object, true)))
  return changes
}

function isSame(a: SavedObject, b: SavedObject): boolean {
  return (
    a.kind === b.kind && a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace
  )
}

/** An object as a person writes it: without status, and without what the server writes. */
function settled({ status: _status, metadata, ...object }: SavedObject): SavedObject {
  const own = Object.entries(metadata).filter(([key]) => !ofServer.has(key))
  return { ...object, metadata: Object.fromEntries(own) } as SavedObject
}

const ofServer = new Set(
  'uid resourceVersion generation creationTimestamp managedFields selfLink deletionTimestamp deletionGracePeriodSeconds'.split(
    ' ',
  ),
)

function pathOf({ apiVersion, kind, metadata }: SavedObject, named: boolean): string {
  const resource = saved.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)
  if (resource === undefined) throw new Error(`the lab has no kind ${kind}`)
  return resourcePath(resource, metadata.namespace, named ? metadata.name : undefined)
}

async function call(up: UpLab, method: string, path: string, body?: unknown): Promise<unknown> {
  const sandbox = joinSandbox(up.pid, up.rootless)
  const request = {
    ...{ ...apiTarget(up, path), method, body: body === undefined ? '' : JSON.stringify(body) },
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  }
  const answer = await callApi(sandbox, request, new AbortController().signal)
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  const value = JSON.parse(text) as { message?: string }
  if (answer.status >= 400) throw new Error(value.message ?? text)
  return value
}
