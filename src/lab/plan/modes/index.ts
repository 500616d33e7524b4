import type { ModeName } from '../../../agents/kubeProxy/config.js'
import { planIpvsServers } from './ipvs.js'
import type { ModeStages } from './modeStages.js'
import { planPortals } from './userspace.js'

/** The stages of each mode. */
export const stagesOf: Readonly<Record<ModeName, ModeStages>> = {
  iptables: () => ({}),
  nftables: () => ({}),
  ipvs: (lab) => ({ before: [planIpvsServers(lab)] }),
  userspace: (lab) => ({ beside: [planPortals(lab)] }),
}
