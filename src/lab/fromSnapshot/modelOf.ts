import { buildCluster } from '../../cluster/cluster.js'
import { parseManifests } from '../../cluster/manifests/manifests.js'
import type { LocatedObject } from '../../cluster/manifests/locatedObject.js'
import type { NodeSpec } from '../../cluster/nodes.js'
import { withFailingProbes } from '../../cluster/pods/probeForecast.js'
import type { KubeObject } from '../../cluster/types.js'
import { defaultConfiguration } from '../../agents/kubeProxy/configDefaults.js'
import { defaultRanges, type AddressRanges } from '../../net/addressRanges.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import { labState } from '../../snapshot/model/labState.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import { layOut } from '../../topology/layOut.js'
import { manifestText } from './labOfSnapshot.js'

/** A lab that is predicted without its files. */
export interface LabDraft {
  readonly objects: readonly KubeObject[]
  readonly nodes: readonly NodeSpec[]
  readonly ranges: AddressRanges
  readonly kubeProxy: LabModel['kubeProxy']
}

/** The kube-proxy of a lab that sets none of its fields, in the mode of another one. */
export function plainKubeProxy(
  given: LabModel['kubeProxy'],
  families: LabModel['topology']['families'],
): LabModel['kubeProxy'] {
  if (given.kind === 'none') return given
  const clusterCIDR = families.map((family) => defaultRanges.pods[family]).join(',')
  const config = { ...defaultConfiguration, mode: given.config.mode, clusterCIDR }
  return { kind: 'built-in', mode: given.mode, config, fields: {} }
}

/** Predicts labs, with what a snapshot has around their objects. */
export function createPlanner(model: LabModel): (draft: LabDraft) => Snapshot {
  const located = new Map<KubeObject, LocatedObject>()
  // objects of many drafts are the same: each is read once
  const locate = (object: KubeObject): LocatedObject => {
    const known = located.get(object)
    if (known !== undefined) return known
    const [read] = parseManifests([{ path: 'manifests/cluster.yaml', text: manifestText([object]) }]).objects
    if (read === undefined) throw new Error(`${object.kind} is not read`)
    located.set(object, read)
    return read
  }
  return ({ objects, nodes, ranges, kubeProxy }) => {
    const { families, network } = model.topology
    const commands = { exists: () => false, images: { '*': 'echo' } } as const
    const clusterOptions = { ...model.clusterOptions, nodes, ranges, families, commands }
    const cluster = withFailingProbes(buildCluster(objects.map(locate), clusterOptions))
    const topology = layOut(cluster, model.lab.clients, ranges, families, network)
    const next: LabModel = { ...model, ...labState(cluster, topology), clusterOptions, kubeProxy }
    return { basis: 'plan', model: next, state: plannedState(next), notices: [] }
  }
}
