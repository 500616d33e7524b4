import type { IpFamily } from '../cluster/types.js'
import type { ProxyInput } from '../proxy/input.js'
import { ipsetLines } from '../proxy/ipvs/ipset.js'
import { ipvsadmLines, timeoutLines } from '../proxy/ipvs/ipvsadm.js'
import { ipvsRestore } from '../proxy/ipvs/restore.js'
import { buildIpvs } from '../proxy/ipvs/state.js'
import { ipvsDevice } from '../proxy/ipvs/types.js'
import type { Topology } from '../topology/layOut.js'
import { planIpvs } from '../topology/planIpvs.js'
import type { Stage } from '../topology/types.js'

/** What iptables-restore loads on a node whose kube-proxy is in mode ipvs. */
export function ipvsRules(input: ProxyInput, family: IpFamily): string {
  return ipvsRestore(buildIpvs(input, family))
}

/** The rest of what it makes there: the sets that those rules name have to be there before them. */
export function planIpvsServers(
  { nodes, families }: Pick<Topology, 'nodes' | 'families'>,
  inputOf: (node: string) => ProxyInput,
): Stage {
  return planIpvs(nodes, families, ipvsDevice, (node, family) => {
    const input = inputOf(node)
    const state = buildIpvs(input, family)
    const bits = family === 'IPv4' ? 32 : 128
    return {
      addresses: state.addresses.map((address) => `${address}/${bits}`),
      sets: ipsetLines(state),
      servers: [
        ...(family === families[0] ? timeoutLines(input.config.ipvs) : []),
        ...ipvsadmLines(state.virtualServers),
      ],
    }
  })
}
