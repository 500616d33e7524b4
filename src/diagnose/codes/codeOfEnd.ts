import type { End, Hook } from '../../trace/model/steps.js'
import type { Code } from './codes.js'

/** The code of a way to fail whose cause is not known. */
export function codeOfEnd({ kind, rule, missing }: End): Code {
  if (kind === 'untraceable') return 'not-predicted'
  if (rule !== undefined) return 'dropped-by-rule'
  switch (missing?.kind) {
    case 'sysctl':
      return codeOfSetting(missing.name)
    case 'route':
      return 'route-missing'
    case 'neighbour':
      return 'address-absent'
    case 'listener':
      return 'port-unserved'
    case 'mtu':
      return 'mtu-too-small'
    case 'hairpin':
      return 'hairpin-off'
    case 'sourcePort':
      return 'ports-exhausted'
    case 'protocol':
      return 'protocol-different'
    case undefined:
      return withoutDetail[kind]
  }
}

const withoutDetail = {
  answered: 'connection-closed',
  refused: 'connection-closed',
  rejected: 'no-ready-endpoint',
  dropped: 'dropped-by-kernel',
  unroutable: 'route-missing',
  unreachable: 'address-absent',
  misrouted: 'answer-bypasses-nat',
} as const satisfies Readonly<Record<Exclude<End['kind'], 'untraceable'>, Code>>

/** The code of a setting of the kernel that has another value. */
export function codeOfSetting(name: string): Code {
  if (/^net\.bridge\.bridge-nf-call-ip6?tables$/.test(name)) return 'bridge-nf-off'
  if (/rp_filter$/.test(name)) return 'rp-filter'
  if (/route_localnet$/.test(name)) return 'route-localnet-off'
  return /\.(?:ip_forward|forwarding)$/.test(name) ? 'ip-forward-off' : 'host-setting'
}

/** The code of a policy that drops, by the hook of its chain. */
export function codeOfPolicy(hook: Hook | undefined): Code {
  return hook === 'forward' ? 'forward-policy-drop' : 'chain-policy-drop'
}
