import type { IpFamily } from '../../../net/ipFamily.js'
import { localDetector } from '../detectLocal.js'
import type { ProxyInput } from '../input.js'
import { nodeIPs } from '../nodeAddresses.js'
import { ipvsChains, ipvsJumps } from './chains.js'
import { filterRules } from './filterRules.js'
import { natRules } from './natRules.js'
import { ipvsPorts, existingServers } from './ports.js'
import { setNames, type SetName } from './sets.js'
import type { IpvsState } from './types.js'

/** Everything that kube-proxy in IPVS mode creates on one node in one family; mirrors syncProxyRules of pkg/proxy/ipvs. */
export function buildIpvs(input: ProxyInput, family: IpFamily): IpvsState {
  const { config, node } = input
  const ports = ipvsPorts(input, family)
  const entries = new Map<SetName, Set<string>>(setNames.map((name) => [name, new Set()]))
  for (const port of ports) for (const [name, entry] of port.entries) entries.get(name)?.add(entry)
  const addresses = new Set(ports.flatMap(({ bound }) => bound))
  const sets = asRecord(entries)
  const mark = 2 ** config.iptables.masqueradeBit
  return {
    family,
    virtualServers: [...existingServers(ports).values()],
    sets,
    addresses: [...addresses].sort(),
    jumps: ipvsJumps,
    nat: {
      chains: ipvsChains.nat,
      rules: natRules({
        family,
        sets,
        mark,
        randomFully: input.randomFully ?? true,
        masqueradeAll: config.iptables.masqueradeAll,
        detector: localDetector(config, node, family),
      }),
    },
    filter: {
      chains: ipvsChains.filter,
      rules: filterRules({
        ...{ family, sets, mark, nodeIP: nodeIPs(node, config)[family] },
        servicePorts: ports.map(({ port }) => port),
      }),
    },
  }
}

function asRecord(entries: ReadonlyMap<SetName, ReadonlySet<string>>): IpvsState['sets'] {
  const lists = Array.from(entries, ([name, all]) => [name, [...all]] as const)
  return Object.fromEntries(lists) as Record<SetName, readonly string[]>
}
