import type { Machine } from '../../host/machine.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { planPool } from '../../topology/announcements.js'
import type { Stage } from '../../topology/types.js'
import type { Follower } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import { announcementTools, followLayer2, layer2Stages } from './layer2.js'
import { isAnnounced } from '../../cluster/loadBalancers.js'
import { followProxy } from './proxy.js'

/** The stages that the load balancer adds to a lab's start, with kube-proxies in this mode. */
export function balancerStages(state: LabState, mode: ProxyMode): Stage[] {
  if (state.cluster.loadBalancer?.mode === 'proxy') return [planPool(state.topology)]
  return layer2Stages(state, mode)
}

/** The tools that it needs besides those of every lab. */
export function balancerTools({ cluster }: LabState, mode: ProxyMode): readonly string[] {
  if (!isAnnounced(cluster)) return []
  return [...announcementTools, ...(mode.bindsServiceAddresses ? ['nft'] : [])]
}

/** Starts the load balancer after the kube-proxies; returns the follower to call after theirs. */
export async function startBalancer(
  sandbox: Sandbox,
  { nginx }: Machine,
  initial: LabState,
  mode: ProxyMode,
): Promise<Follower> {
  if (initial.cluster.loadBalancer?.mode !== 'proxy') return followLayer2(sandbox, initial, mode)
  const follow = followProxy(sandbox, initial.topology, nginx)
  await follow(initial)
  return follow
}
