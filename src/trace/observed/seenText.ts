import type { PacketHeader } from '../../netfilter/trace/header.js'
import { socketText } from '../../net/socketText.js'
import type { SeenRule } from './model.js'

/** `PREROUTING nat KUBE-SERVICES 3: -d 10.96.1.1/32 … -j KUBE-SVC-…` */
export function seenRuleText({ hook, table, chain, number, spec, verdict, handle }: SeenRule): string {
  return `${hook.toUpperCase()} ${table} ${chain} ${number ?? `(handle ${handle ?? '?'})`}: ${spec ?? verdict}`
}

/** `172.18.1.2:60232 → 172.18.0.2:30080` */
export function headerText({ source, destination }: Pick<PacketHeader, 'source' | 'destination'>): string {
  return `${socketText(source)} → ${socketText(destination)}`
}
