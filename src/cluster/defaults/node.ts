import type { Node } from '../types.js'

/** Makes podCIDR and podCIDRs say the same, as the API's conversion does. */
export function defaultNode(node: Node): Node {
  const { podCIDR, podCIDRs } = node.spec ?? {}
  if (podCIDR === undefined && podCIDRs?.[0] === undefined) return node
  const ranges = podCIDRs ?? (podCIDR === undefined ? [] : [podCIDR])
  return { ...node, spec: { ...node.spec, podCIDRs: ranges, podCIDR: podCIDR ?? ranges[0] ?? '' } }
}
