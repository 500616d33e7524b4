import type { FoundIpvs } from '../../../../src/agents/kubeProxy/ipvs/found.js'
import { listedEntry } from '../../../../src/agents/kubeProxy/ipvs/ipset.js'
import { ipvsSaved } from '../../../../src/agents/kubeProxy/ipvs/saved.js'
import { nameInFamily, setNames } from '../../../../src/agents/kubeProxy/ipvs/sets.js'
import type { IpvsState } from '../../../../src/agents/kubeProxy/ipvs/types.js'

/** What is found on a node that has a state. */
export function existing(state: IpvsState): FoundIpvs {
  return {
    servers: state.virtualServers.map((server) => ({
      ...server,
      mhPort: server.scheduler === 'mh',
      realServers: server.realServers.map((text) => ({ text, weight: 1, connections: 0 })),
    })),
    sets: new Map(
      setNames.map((name) => [
        nameInFamily(name, state.family),
        new Set(state.sets[name].map((entry) => listedEntry(entry))),
      ]),
    ),
    device: true,
    bound: state.addresses,
    elsewhere: [],
    tables: ipvsSaved(state),
  }
}
