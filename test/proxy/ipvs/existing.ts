import type { FoundIpvs } from '../../../src/proxy/ipvs/found.js'
import { listedEntry } from '../../../src/proxy/ipvs/ipset.js'
import { ipvsSaved } from '../../../src/proxy/ipvs/saved.js'
import { nameInFamily, setNames } from '../../../src/proxy/ipvs/sets.js'
import type { IpvsState } from '../../../src/proxy/ipvs/types.js'

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
