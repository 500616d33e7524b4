import { systemClock } from '../../clock.js'
import { foundIpvs, readConnections } from '../../agents/kubeProxy/ipvs/found.js'
import { ipvsDevice } from '../../agents/kubeProxy/ipvs/types.js'
import { listConnections, listIpvs, printRules, readIpvsRules, saveProgram } from '../readings.js'
import { ipvsWeakness, requireIpvs } from '../requirements/requireIpvs.js'
import { liveIptables } from './iptables.js'
import { listIpvsState } from './ipvsTables.js'
import { ipvsWriter } from './ipvsWriter.js'
import type { LiveMode } from './liveMode.js'
import { proxierOf } from './proxier.js'

export const liveIpvs: LiveMode = {
  ...liveIptables,
  kernelNeeds: {
    module: 'ip_vs',
    weakness: ipvsWeakness,
    require: (sandbox, { ipvs }) => requireIpvs(sandbox, ipvs.scheduler || 'rr'),
  },
  proxier(options) {
    const { adopt = false, clock = systemClock } = options
    return proxierOf(options, ipvsWriter({ ...options, adopt, clock }))
  },
  readRules: readIpvsRules,
  async print(sandbox, netns, families) {
    const { servers, sets } = await listIpvs(sandbox, netns)
    return servers + sets + (await printRules(sandbox, netns, families))
  },
  async find(sandbox, netns, family) {
    const [listing, connections] = await Promise.all([
      listIpvsState(sandbox, netns, [saveProgram(family), '-c']),
      listConnections(sandbox, netns),
    ])
    const { tables, ...ipvs } = foundIpvs(listing, family)
    return { tables, ipvs, connections: readConnections(connections) }
  },
  evidence: {
    command: (family) => {
      return ['ip', '-o', family === 'IPv4' ? '-4' : '-6', 'address', 'show', 'dev', ipvsDevice]
    },
    read:
      (answer) =>
      ({ address }) =>
        answer.includes(` ${address}/`),
  },
}
