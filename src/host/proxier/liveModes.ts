import type { ModeName } from '../../agents/kubeProxy/config.js'
import { liveIptables } from './iptables.js'
import { liveIpvs } from './ipvs.js'
import type { LiveMode } from './liveMode.js'
import { liveNftables } from './nftables.js'
import type { Proxier, ProxierOptions } from './proxier.js'
import { liveUserspace } from './userspace.js'

const modes: Readonly<Record<ModeName, LiveMode>> = {
  iptables: liveIptables,
  nftables: liveNftables,
  ipvs: liveIpvs,
  userspace: liveUserspace,
}

/** A mode by its name. */
export function liveModeOf(name: ModeName): LiveMode {
  return modes[name]
}

/** The kube-proxy of one node and family, in the mode that it is configured for. */
export function createProxier(options: ProxierOptions): Proxier {
  return liveModeOf(options.input.config.mode).proxier(options)
}
