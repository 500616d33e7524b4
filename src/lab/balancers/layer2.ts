import { announcements, isAnnounced, type Announcement } from '../../cluster/loadBalancers.js'
import { requireTools } from '../../host/environment.js'
import { runStages } from '../../host/sandbox/runPlan.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { announcementFrame } from '../../packets/announcementFrame.js'
import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { planAnnouncements, planAnswering, planPool } from '../../topology/announcements.js'
import { planSilence } from '../../topology/silence.js'
import { placeMac } from '../../topology/networkOf.js'
import type { Topology, Stage } from '../../topology/types.js'
import type { Follower } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'

/** The tools that announce an address that has moved. */
export const announcementTools = ['socat']

/** The stages that make nodes answer for load balancer addresses when a lab starts; none without such Services. */
export function layer2Stages(
  { cluster, topology }: Pick<LabState, 'cluster' | 'topology'>,
  mode: ProxyMode,
): Stage[] {
  if (!isAnnounced(cluster)) return []
  const wanted = announcements(cluster)
  return [
    planPool(topology),
    planAnswering(topology),
    planAnnouncements(topology, [], wanted, 0),
    ...(mode.bindsServiceAddresses ? [planSilence(topology, wanted, 0)] : []),
  ]
}

/**
 * Moves addresses when nodes and endpoints change. The new node announces the address to the network: clients would
 * otherwise keep sending to the MAC address of the old one.
 */
export function followLayer2(sandbox: Sandbox, initial: LabState, mode: ProxyMode): Follower {
  let existing = announcements(initial.cluster)
  let pooled = isAnnounced(initial.cluster)
  let turn = 0
  const known = new Map(existing.map(({ address, node }) => [address, node]))
  return async ({ cluster, topology }) => {
    if (!isAnnounced(cluster) && existing.length === 0) return
    const before = existing
    const wanted = announcements(cluster)
    if (pooled && JSON.stringify(wanted) === JSON.stringify(before)) return
    const moved = wanted.filter(({ address, node }) => (known.get(address) ?? node) !== node)
    if (moved.length > 0) requireTools(announcementTools)
    await runStages(sandbox, [
      ...(pooled ? [] : [planPool(topology), planAnswering(topology)]),
      planAnnouncements(topology, before, wanted, ++turn),
      ...(mode.bindsServiceAddresses ? [planSilence(topology, wanted, turn)] : []),
    ])
    pooled = true
    existing = wanted
    for (const { address, node } of wanted) known.set(address, node)
    await Promise.all(moved.map((one) => announce(sandbox, topology, one)))
  }
}

async function announce(
  sandbox: Sandbox,
  { nodes }: Topology,
  { address, node }: Announcement,
): Promise<void> {
  const place = nodes.find(({ name }) => name === node)
  if (place === undefined) return
  await sandbox.must(`announcing ${address} from ${node}`, ['socat', '-u', 'STDIN', 'INTERFACE:eth0'], {
    netns: place.netns,
    input: announcementFrame(address, placeMac(place)),
  })
}
