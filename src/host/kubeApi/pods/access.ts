import { isTerminal } from '../../../cluster/pods/podFacts.js'
import type { ContainerStatus, KubeObject, Pod } from '../../../cluster/types.js'
import type { ResourceRoute } from '../../../apiserver/route.js'
import type { Store } from '../../../apiserver/store.js'
import { badRequest, notFound } from '../../../apiserver/status.js'

/** A container that runs in a pod of the lab. */
export interface EnterableContainer {
  readonly name: string
  /** The file with its output; undefined for an echo server, which writes none. */
  readonly log: string | undefined
  /** Argument array that runs a command in the container. */
  command(argv: readonly string[]): readonly string[]
}

/** The containers of a pod `namespace/name`; undefined when no such pod of the lab runs. */
export type PodAccess = (pod: string) => readonly EnterableContainer[] | undefined

/** The container of a request, with its status; throws the 400 or 404 Status of the API server when there is none. */
export function containerOf(
  { store, pods }: { readonly store: Store; readonly pods: PodAccess | undefined },
  { resource, namespace = 'default', name = '' }: ResourceRoute,
  query: URLSearchParams,
): EnterableContainer & { readonly status: ContainerStatus | undefined; readonly hasInput: boolean } {
  const pod = store.get(resource, namespace, name)
  if (pod === undefined) throw notFound(resource, name)
  const names = containerNames(pod)
  const wanted = query.get('container') ?? ''
  if (wanted === '' && names.length > 1)
    throw badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
    )
  const container = wanted || (names[0] ?? '')
  if (!names.includes(container)) throw badRequest(`container ${container} is not valid for pod ${name}`)
  const found = pods?.(`${namespace}/${name}`)?.find((one) => one.name === container)
  if (found === undefined)
    throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ContainerCreating`)
  const status = (pod as Pod).status?.containerStatuses?.find((one) => one.name === container)
  const hasInput = (pod as Pod).spec.containers.find(({ name }) => name === container)?.['stdin'] === true
  return { ...found, status, hasInput }
}

function containerNames(pod: KubeObject): string[] {
  return (pod as Pod).spec.containers.map(({ name }) => name)
}

/**
 * What identifies one run of a container: another value for each start of it, and `over` while it has ended. The pod may be
 * deleted meanwhile.
 */
export function containerLife(
  { store }: { readonly store: Store },
  { resource, namespace, name = '' }: ResourceRoute,
  container: string,
): () => string {
  return () => {
    const pod = store.get(resource, namespace, name) as Pod | undefined
    const own = pod?.status?.containerStatuses?.find((one) => one.name === container)
    const hasEnded = own?.state?.terminated !== undefined || own?.state?.waiting !== undefined
    if (hasEnded || (pod !== undefined && isTerminal(pod))) return 'over'
    return `${pod?.metadata.uid ?? ''} ${own?.restartCount ?? 0}`
  }
}
