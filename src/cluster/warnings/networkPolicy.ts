import type { NetworkPolicy, NetworkPolicyPeer } from '../types.js'
import type { Path } from '../validation/fieldErrors.js'
import { rangeWarnings, type Warning } from './warning.js'

/** Warnings about the ranges of a NetworkPolicy (networkPolicyWarnings of its strategy). */
export function networkPolicyWarnings({ spec: { ingress = [], egress = [] } }: NetworkPolicy): Warning[] {
  return [
    ...ingress.flatMap(({ from }, index) => peerWarnings(['spec', 'ingress', index, 'from'], from)),
    ...egress.flatMap(({ to }, index) => peerWarnings(['spec', 'egress', index, 'to'], to)),
  ]
}

function peerWarnings(path: Path, peers: readonly NetworkPolicyPeer[] = []): Warning[] {
  return peers.flatMap(({ ipBlock }, index) => {
    if (ipBlock === undefined) return []
    const at = [...path, index, 'ipBlock']
    return [
      ...rangeWarnings([...at, 'cidr'], ipBlock.cidr),
      ...(ipBlock.except ?? []).flatMap((range, number) => rangeWarnings([...at, 'except', number], range)),
    ]
  })
}
