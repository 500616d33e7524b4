import { isObject } from '../../../src/cluster/schema/decode.js'

/** One step of a sequence: a request, as kubectl would send it. Objects are named `plural/name`. */
export type Step =
  | { readonly create: Written }
  | { readonly apply: Written }
  | { readonly patch: readonly [string, unknown]; readonly type?: keyof typeof patchTypes }
  | { readonly scale: readonly [string, number] }
  | { readonly delete: string; readonly options?: object }
  /** A merge patch of the pods with a label `key=value`: the first of them in the order of their names, or all. */
  | { readonly pods: string; readonly patch: object; readonly first?: number }
  | { readonly deletePods: string; readonly first?: number }

interface Written {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

/** An API server with controllers, and with kubelets that do what the annotation `play` of a pod says. */
export interface Played {
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>
  /** Resolves when no controller and no kubelet has anything left to do. */
  settled(): Promise<void>
}

export interface Answer {
  readonly code: number
  readonly json: unknown
}

/** What a step led to: the answer, and all objects of the namespace when the cluster has settled. */
export interface Outcome {
  readonly code: number
  readonly message?: string
  readonly objects: readonly Loose[]
}

/** An object of any form. */
export interface Loose {
  readonly [field: string]: unknown
}

const groups: Readonly<Record<string, string>> = {
  pods: 'api/v1',
  services: 'api/v1',
  endpoints: 'api/v1',
  replicationcontrollers: 'api/v1',
  endpointslices: 'apis/discovery.k8s.io/v1',
  deployments: 'apis/apps/v1',
  replicasets: 'apis/apps/v1',
  statefulsets: 'apis/apps/v1',
  daemonsets: 'apis/apps/v1',
  controllerrevisions: 'apis/apps/v1',
  jobs: 'apis/batch/v1',
  cronjobs: 'apis/batch/v1',
}

/** The resources whose objects are compared. */
export const compared = Object.keys(groups)

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
}

/** Plays the steps in a namespace that exists, and returns what each led to. */
export async function play(cluster: Played, namespace: string, steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const step of steps) {
    const { code, json } = await send(cluster, namespace, step)
    await cluster.settled()
    const message = code >= 400 && isObject(json) ? (json as { message?: string }).message : undefined
    outcomes.push({
      code,
      ...(message === undefined ? {} : { message }),
      objects: await objectsIn(cluster, namespace),
    })
  }
  return outcomes
}

/** All objects of a namespace, with their kinds. */
export async function objectsIn(cluster: Played, namespace: string): Promise<Loose[]> {
  const lists = await Promise.all(
    compared.map(async (plural) => {
      const { json } = await cluster.send('GET', pathOf(namespace, plural))
      const { kind = '', items } = json as { kind?: string; items?: Loose[] | null }
      return (items ?? []).map((item) => ({ kind: kind.replace(/List$/, ''), ...item }))
    }),
  )
  return lists.flat()
}

function pathOf(namespace: string, plural: string, name?: string): string {
  return `/${groups[plural]}/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`
}

function pathTo(namespace: string, text: string): string {
  const [plural = '', name] = text.split('/')
  return pathOf(namespace, plural, name)
}

function pluralOf({ kind }: Written): string {
  return kind === 'Endpoints' ? 'endpoints' : `${kind.toLowerCase()}s`
}

async function send(cluster: Played, namespace: string, step: Step): Promise<Answer> {
  if ('create' in step) return cluster.send('POST', pathOf(namespace, pluralOf(step.create)), step.create)
  if ('apply' in step) {
    const path = pathOf(namespace, pluralOf(step.apply), step.apply.metadata.name)
    return cluster.send('PATCH', `${path}?fieldManager=kubectl&force=true`, step.apply, patchTypes.apply)
  }
  if ('pods' in step || 'deletePods' in step) return sendToPods(cluster, namespace, step)
  if ('patch' in step) {
    const [object, patch] = step.patch
    return cluster.send('PATCH', pathTo(namespace, object), patch, patchTypes[step.type ?? 'strategic'])
  }
  if ('scale' in step) {
    const [object, replicas] = step.scale
    return cluster.send(
      'PATCH',
      `${pathTo(namespace, object)}/scale`,
      { spec: { replicas } },
      patchTypes.merge,
    )
  }
  return cluster.send('DELETE', pathTo(namespace, step.delete), {
    propagationPolicy: 'Background',
    ...step.options,
  })
}

async function sendToPods(
  cluster: Played,
  namespace: string,
  step: Extract<Step, { pods: string } | { deletePods: string }>,
): Promise<Answer> {
  const selector = 'pods' in step ? step.pods : step.deletePods
  const path = pathOf(namespace, 'pods')
  const { json } = await cluster.send('GET', `${path}?labelSelector=${encodeURIComponent(selector)}`)
  const names = (json as { items: { metadata: { name: string } }[] }).items.map(
    ({ metadata }) => metadata.name,
  )
  let answer: Answer = { code: 0, json: {} }
  for (const name of names.sort().slice(0, step.first))
    answer =
      'pods' in step
        ? await cluster.send('PATCH', `${path}/${name}`, step.patch, patchTypes.merge)
        : await cluster.send('DELETE', `${path}/${name}`)
  return answer
}
