import { isRecord } from '../../../src/cluster/manifests/loose.js'

type Fields = Record<string, unknown>

const serverFields = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[1-9a-f][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** The uid of a Job, whose place another value takes here. */
const jobUid = /(controller-uid":)"[^"]*"/g

/** An object without what differs from server to server; `sent` are the objects of the case. */
export function compared(object: unknown, sent: readonly unknown[]): unknown {
  const copy = structuredClone(object) as Fields & { metadata: Fields; spec?: Fields }
  for (const field of serverFields) Reflect.deleteProperty(copy.metadata, field)
  for (const condition of conditionsOf(copy['status']))
    for (const field of ['lastTransitionTime', 'lastProbeTime']) Reflect.deleteProperty(condition, field)
  if (copy['kind'] === 'Service' && copy.spec !== undefined) starAllocated(copy.spec, sent)
  if (copy['kind'] === 'IPAddress' && isRecord(copy.spec?.['parentRef']))
    Reflect.deleteProperty(copy.spec['parentRef'], 'uid')
  return JSON.parse(JSON.stringify(copy).replaceAll(uuid, 'UID').replaceAll(jobUid, '$1"UID"')) as unknown
}

function conditionsOf(status: unknown): Fields[] {
  const conditions = isRecord(status) ? status['conditions'] : undefined
  return Array.isArray(conditions) ? (conditions as Fields[]) : []
}

/** Addresses and ports that were not asked for are random in a real cluster. */
function starAllocated(spec: Fields, sent: readonly unknown[]): void {
  const asked = JSON.stringify(sent)
  const star = (value: unknown) =>
    value === undefined || value === 'None' || asked.includes(JSON.stringify(value)) ? value : '*'
  const ports = (spec['ports'] ?? []) as Fields[]
  for (const fields of [spec, ...ports])
    for (const name of ['clusterIP', 'nodePort', 'healthCheckNodePort'])
      if (name in fields) fields[name] = star(fields[name])
  if (Array.isArray(spec['clusterIPs'])) spec['clusterIPs'] = spec['clusterIPs'].map(star)
}

/** An answer to an update without what the scheduler and the controllers, which were not recorded, have written before it. */
export function withoutControllers(answer: unknown): unknown {
  const { stored, ...rest } = structuredClone(answer) as {
    stored?: Fields & { metadata: Fields; spec: Fields }
  }
  if (stored === undefined || !['Pod', 'Deployment'].includes(String(stored['kind']))) return answer
  const { status: _status, ...kept } = stored
  Reflect.deleteProperty(kept.spec, 'nodeName')
  Reflect.deleteProperty(kept.metadata, 'annotations')
  return { ...rest, stored: kept }
}
