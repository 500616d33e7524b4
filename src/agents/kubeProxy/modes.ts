import type { ModeName } from './config.js'
import { defaultConfiguration } from './configDefaults.js'
import { iptablesMode } from './iptables/mode.js'
import { ipvsMode } from './ipvs/mode.js'
import type { ProxyMode } from './mode.js'
import { nftablesMode } from './nftables/mode.js'
import { userspaceMode } from './userspace/mode.js'

const modes: Readonly<Record<ModeName, ProxyMode>> = {
  iptables: iptablesMode,
  nftables: nftablesMode,
  ipvs: ipvsMode,
  userspace: userspaceMode,
}

/** A mode by its name. */
export function modeOf(name: ModeName): ProxyMode {
  return modes[name]
}

/** The mode of a kube-proxy, and of a lab, that sets none. */
export const defaultMode: ProxyMode = modeOf(defaultConfiguration.mode)
