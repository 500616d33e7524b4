import { nftTableName } from './model/nft.js'
import type { TraceState } from './model/state.js'

/** Chains and tables of programs that enforce NetworkPolicies by rules of the kernel, or that have some beside eBPF. */
const chains = /^(KUBE-(NWPLCY|POD-FW|ROUTER-FORWARD)|cali-|AZURE-NPM|WEAVE-NPC|ANTREA-|CILIUM_)/
const tables = / (kube-network-policies|kindnet-network-policies|kube-router.*|calico|cilium.*|antrea.*)$/

/** Whether a node has rules of a program that enforces NetworkPolicies. */
export function hasPolicyAgent({ rules, nft }: Pick<TraceState, 'rules' | 'nft'>): boolean {
  const ofIptables = [...rules.values()].some((families) =>
    Object.values(families).some((all) =>
      [...all.values()].some((own) => [...own.keys()].some((name) => chains.test(name))),
    ),
  )
  return (
    ofIptables || [...nft.values()].some((set) => set.tables.some((one) => tables.test(nftTableName(one))))
  )
}
