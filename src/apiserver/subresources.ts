import type { Resource } from './resources.js'

/** A part of an object with a path of its own, or an action on it. */
export interface Subresource {
  readonly name: string
  /** The type of its body; that of the object when absent. */
  readonly body?: { readonly group: string; readonly version: string; readonly kind: string }
  readonly readVerbs: readonly string[]
  readonly writeVerbs: readonly string[]
}

const status: Subresource = { name: 'status', readVerbs: ['get'], writeVerbs: ['patch', 'update'] }

const scale: Subresource = {
  name: 'scale',
  body: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  readVerbs: ['get'],
  writeVerbs: ['patch', 'update'],
}

const eviction: Subresource = {
  name: 'eviction',
  body: { group: 'policy', version: 'v1', kind: 'Eviction' },
  readVerbs: [],
  writeVerbs: ['create'],
}

/** A command in a container, its output, or connections to a pod: clients upgrade the connection. */
const upgraded = (name: string, kind: string): Subresource => ({
  name,
  body: { group: '', version: 'v1', kind },
  readVerbs: [],
  writeVerbs: ['create', 'get'],
})

/** Requests that the API server passes on to a pod. */
const proxied = (kind: string): Subresource => ({
  name: 'proxy',
  body: { group: '', version: 'v1', kind },
  readVerbs: ['get'],
  writeVerbs: ['create', 'delete', 'patch', 'update'],
})

const ofPods: readonly Subresource[] = [
  upgraded('attach', 'PodAttachOptions'),
  eviction,
  upgraded('exec', 'PodExecOptions'),
  { name: 'log', readVerbs: ['get'], writeVerbs: [] },
  upgraded('portforward', 'PodPortForwardOptions'),
  proxied('PodProxyOptions'),
]

const byPlural: Readonly<Record<string, readonly Subresource[]>> = {
  pods: ofPods,
  services: [proxied('ServiceProxyOptions')],
  deployments: [scale],
  replicationcontrollers: [scale],
  replicasets: [scale],
  statefulsets: [scale],
}

const withoutStatus: readonly string[] = [
  ...['configmaps', 'secrets', 'endpoints', 'endpointslices', 'ingressclasses', 'priorityclasses'],
  ...['referencegrants', 'networkpolicies'],
]

/** The subresources of a resource. */
export function subresourcesOf({ plural }: Resource): readonly Subresource[] {
  const others = Object.hasOwn(byPlural, plural) ? (byPlural[plural] ?? []) : []
  return withoutStatus.includes(plural) ? others : [status, ...others]
}
