import { ipsetLines } from '../../../agents/kubeProxy/ipvs/ipset.js'
import { ipvsadmLines, timeoutLines } from '../../../agents/kubeProxy/ipvs/ipvsadm.js'
import { buildIpvs } from '../../../agents/kubeProxy/ipvs/state.js'
import { ipvsDevice } from '../../../agents/kubeProxy/ipvs/types.js'
import { planIpvs } from '../../../topology/planIpvs.js'
import type { Stage } from '../../../topology/types.js'
import type { PlannedLab } from './modeStages.js'

/** Virtual servers and sets, which have to exist before the rules of iptables that name the sets. */
export function planIpvsServers({ topology: { nodes, families }, inputOf }: PlannedLab): Stage {
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
