import type { ClusterOptions } from '../../cluster/cluster.js'
import type { Cluster, Commands } from '../../cluster/types.js'
import type { KubeProxyConfiguration, ModeName } from '../../agents/kubeProxy/config.js'
import { modeOf } from '../../agents/kubeProxy/modes.js'
import { defaultVersion, type MinorVersion } from '../../agents/kubeProxy/versions/version.js'
import type { NodePlace, Place, PodPlace, Topology } from '../../topology/types.js'
import { controllerRef } from '../../ingress/ingressController.js'
import { labState } from '../model/labState.js'
import type { LabModel } from '../model/snapshot.js'

/** A model as JSON has it. */
export interface SentModel {
  readonly lab: LabModel['lab']
  readonly options: Pick<ClusterOptions, 'nodes' | 'ranges' | 'families' | 'loadBalancer'>
  readonly kubeProxy:
    | { readonly kind: 'none' }
    | {
        readonly kind: 'built-in' | 'binary'
        readonly mode: ModeName
        readonly config: Omit<KubeProxyConfiguration, 'version'> & { readonly version?: MinorVersion }
        readonly fields: Readonly<Record<string, unknown>>
        /** Of a program. */
        readonly path?: string | undefined
        readonly version?: MinorVersion | undefined
      }
  readonly abilities: LabModel['abilities']
  readonly dns?: LabModel['dns']
  /** Without what only controllers read, and without functions. */
  readonly cluster: Omit<Cluster, Left>
  readonly topology: Omit<Topology, 'nodes' | 'clients' | 'pods' | 'places'> & {
    readonly nodes: readonly Sent<NodePlace>[]
    readonly clients: readonly Sent<Place>[]
    readonly pods: readonly Sent<PodPlace>[]
    readonly places: readonly Sent<Place>[]
  }
}

type Left = 'now' | 'events' | 'past' | 'applied' | 'commands' | 'controllerRevisions' | 'ingressControllers'

type Sent<P extends Place> = Omit<P, 'interfaces'> & {
  readonly interfaces: readonly (readonly [number, string])[]
}

/** A model as JSON has it. */
export function sentModel({
  lab,
  clusterOptions,
  kubeProxy,
  abilities,
  dns,
  cluster,
  topology,
}: LabModel): SentModel {
  const sent = <P extends Place>(places: readonly P[]) =>
    places.map((place) => ({ ...place, interfaces: [...place.interfaces] }))
  const { now, events, past, applied, commands, controllerRevisions, ingressControllers, ...objects } =
    cluster
  const { nodes, clients, pods, places } = topology
  const { name, title, ingress, images } = lab
  const place = dns?.outside?.place
  const options = clusterOptions
  return {
    lab: { name, title, ingress, images, clients: lab.clients },
    options: {
      ...{ nodes: options.nodes, ranges: options.ranges, families: options.families },
      loadBalancer: options.loadBalancer,
    },
    kubeProxy: kubeProxy.kind === 'none' ? kubeProxy : { ...kubeProxy, mode: kubeProxy.mode.name },
    abilities,
    ...(dns && { dns: { outside: place && { place: { netns: place.netns, name: place.name } } } }),
    cluster: objects,
    topology: {
      ...topology,
      ...{ nodes: sent(nodes), clients: sent(clients), pods: sent(pods), places: sent(places) },
    },
  }
}

/** The model that was sent. */
export function receivedModel(
  { lab, options, kubeProxy, abilities, dns, cluster, topology }: SentModel,
  exists: Commands['exists'],
): LabModel {
  const received = <P extends { readonly interfaces: readonly (readonly [number, string])[] }>(
    places: readonly P[],
  ) => places.map((place) => ({ ...place, interfaces: new Map(place.interfaces) }))
  const { nodes, clients, pods, places } = topology
  const there: Topology = {
    ...topology,
    ...{ nodes: received(nodes), clients: received(clients) },
    ...{ pods: received(pods), places: received(places) },
  }
  const added = {
    commands: { exists, images: lab.images },
    ingressControllers: lab.ingress.map(controllerRef),
  }
  return {
    ...labState({ ...cluster, ...added }, there),
    lab,
    clusterOptions: { ...options, ...added },
    ...{ kubeProxy: receivedKubeProxy(kubeProxy), abilities },
    dns,
  }
}

function receivedKubeProxy(sent: SentModel['kubeProxy']): LabModel['kubeProxy'] {
  if (sent.kind === 'none') return sent
  const { kind, path = '', version, ...own } = sent
  // older snapshots have no version in the configuration
  const config = { ...sent.config, version: sent.config.version ?? version ?? defaultVersion }
  const configured = { ...own, config, mode: modeOf(sent.mode) }
  return kind === 'built-in' ? { kind, ...configured } : { kind, path, version, ...configured }
}
