import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster } from '../../cluster/types.js'
import type { Iptables } from '../../host/backend.js'
import { nodeTables } from '../../host/proxier/nodeTables.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { hostPortPods, hostPortRules, hostPortSysctls, type HostPortPod } from '../../agents/hostPorts.js'
import type { NodePlace } from '../../topology/types.js'
import { SandboxError } from '../../errors.js'
import type { Follower } from './types.js'
import type { LabState } from '../../snapshot/model/labState.js'

/** Opens and closes the hostPorts of pods that come and go, on each node and in each family, as portmap does. */
export function followHostPorts(sandbox: Sandbox, iptables: Iptables, initial: LabState): Follower {
  let known = initial.cluster
  return async ({ cluster, topology }) => {
    const before = known
    known = cluster
    if (cluster.pods === before.pods) return
    await Promise.all(
      topology.nodes.flatMap((node) =>
        topology.families.map((family) => follow({ sandbox, iptables, node, family }, cluster, before)),
      ),
    )
  }
}

interface Where {
  readonly sandbox: Sandbox
  readonly iptables: Iptables
  readonly node: NodePlace
  readonly family: IpFamily
}

async function follow(where: Where, cluster: Cluster, before: Cluster): Promise<void> {
  const { sandbox, iptables, node, family } = where
  const range = node.podRanges.find((candidate) => candidate.family === family)
  if (range === undefined) return
  const wanted = hostPortPods(cluster, node.name, family)
  const known = hostPortPods(before, node.name, family)
  if (same(wanted, known)) return
  const sysctls = family === 'IPv4' ? Object.entries(hostPortSysctls(cluster, node.name)) : []
  for (const [name, value] of sysctls)
    await sandbox.must('opening hostPorts', ['sysctl', '-q', '-w', `${name}=${value}`], { netns: node.netns })
  const text = hostPortRules(wanted, range.cidr, family, known)
  const complaint = await nodeTables(sandbox, iptables, node.netns, family).restore(text)
  if (complaint !== undefined) throw new SandboxError(`cannot open hostPorts on ${node.name}`, complaint)
  await forgetUdp(where, [...wanted, ...known])
}

/** A client that keeps its port would still reach the old pod: conntrack(8) does not evaluate the rules again. */
async function forgetUdp({ sandbox, node, family }: Where, pods: readonly HostPortPod[]): Promise<void> {
  const ports = pods.flatMap((pod) => pod.ports.filter(({ protocol }) => protocol === 'UDP'))
  for (const hostPort of new Set(ports.map((port) => port.hostPort))) {
    // it fails when there is no entry to delete
    const argv = ['conntrack', '-D', '-f', family.toLowerCase(), '-p', 'udp', '--dport', String(hostPort)]
    await sandbox.run(argv, { netns: node.netns })
  }
}

function same(some: readonly HostPortPod[], others: readonly HostPortPod[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}
