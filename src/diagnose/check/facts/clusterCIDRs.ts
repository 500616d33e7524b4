import { localDetector } from '../../../agents/kubeProxy/detectLocal.js'
import { namespacedName } from '../../../cluster/namespacedName.js'
import { isTerminal } from '../../../cluster/pods/podFacts.js'
import { groupBy } from '../../../groupBy.js'
import { networkHolds, parseNetwork } from '../../../net/address.js'
import { familyOf, type IpFamily } from '../../../net/ipFamily.js'
import { configOn } from '../../../snapshot/model/kubeProxy.js'
import type { Snapshot } from '../../../snapshot/model/snapshot.js'
import { podRanges } from '../../../snapshot/rules/podRanges.js'
import type { NodePlace } from '../../../topology/types.js'
import { clusterCIDRFor, configFix } from '../../why/configCauses.js'
import { some, type Fact } from './fact.js'

interface PodAddress {
  readonly pod: string
  readonly node: string
  readonly address: string
}

/** kube-proxy takes pods outside of clusterCIDR for clients outside of the cluster. */
export function clusterCIDRs(snapshot: Snapshot): Fact[] {
  const { cluster, topology } = snapshot.model
  const pods = cluster.pods.flatMap((pod): PodAddress[] => {
    const { spec, status } = pod
    if (spec.hostNetwork === true || isTerminal(pod)) return []
    const name = namespacedName(pod)
    return (status?.podIPs ?? []).map(({ ip }) => ({ pod: name, node: spec.nodeName ?? '', address: ip }))
  })
  return topology.families.flatMap((family) => {
    const ofFamily = pods.filter(({ address }) => familyOf(address) === family)
    const ranges = topology.nodes.map((node) => ({ node, ...rangesOn(snapshot, node, family) }))
    // what kube-proxy of a node without rules has is then not known
    const isOld = ranges.some(({ configured, read }) => read !== undefined && !isSame(read, configured))
    const nodes = ranges.flatMap(({ node, configured, read }) => {
      const range = read ?? (isOld ? undefined : configured)
      const network = range === undefined ? undefined : parseNetwork(range)
      if (range === undefined || network === undefined) return []
      const own = ofFamily.filter((one) => one.node === node.name)
      const outside = own.filter(({ address }) => !networkHolds(network, address))
      return outside.length === 0 ? [] : [{ name: node.name, range, own, outside }]
    })
    return [...groupBy(nodes, ({ range }) => range)].map(([range, alike]) => factOf(snapshot, range, alike))
  })
}

function factOf(
  snapshot: Snapshot,
  range: string,
  nodes: readonly {
    readonly name: string
    readonly own: readonly PodAddress[]
    readonly outside: readonly PodAddress[]
  }[],
): Fact {
  const names = nodes.map(({ name }) => name)
  const outside = nodes.flatMap((node) => node.outside)
  const all = nodes.flatMap(({ own }) => own).length
  const which = outside.length === all ? 'the pods there' : `${outside.length} of ${all} pods there`
  const wanted = clusterCIDRFor(
    snapshot,
    outside.map(({ address }) => address),
  )
  const { object, ...fix } =
    wanted === undefined
      ? { says: 'clusterCIDR in the configuration of kube-proxy is the range of the pods' }
      : configFix(snapshot, {
          change: `clusterCIDR: ${range} → ${wanted}`,
          fields: { clusterCIDR: wanted },
          nodes: names,
        })
  return {
    code: 'cluster-cidr-different',
    says: `kube-proxy on ${some(names)} has clusterCIDR ${range}, which does not hold ${which} (${some(outside.map(({ pod, address }) => `${address} of ${pod}`))}): the requests of these pods to Services are masqueraded, and servers see the address of a node in place of the pod`,
    ...(outside.length < all && { note: true as const }),
    ...(names.length === 1 && { node: names[0] }),
    object,
    fixes: [fix],
  }
}

/** Where kube-proxy of a node looks for pods: as it is configured, and as its rules show. */
function rangesOn(
  { basis, model, state, rulesRead }: Snapshot,
  node: NodePlace,
  family: IpFamily,
): { readonly configured?: string; readonly read?: string | undefined } {
  const { kubeProxy, cluster } = model
  const object = cluster.nodes.find(({ metadata }) => metadata.name === node.name)
  if (kubeProxy.kind === 'none' || object === undefined) return {}
  const config = configOn(kubeProxy, node.name)
  const detector = localDetector(config, object, family)
  if (config.detectLocalMode !== 'ClusterCIDR' || detector?.kind !== 'source') return {}
  const configured = detector.network
  if (basis !== 'attached' || rulesRead?.has(node.name) === false) return { configured }
  const own = { rules: state.rules.get(node.netns), nft: state.nft.get(node.netns) }
  return { configured, read: podRanges(own).get(family) }
}

function isSame(one: string, other: string | undefined): boolean {
  return other !== undefined && parseNetwork(one)?.text === parseNetwork(other)?.text
}
