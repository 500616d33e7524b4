import { createHash } from 'node:crypto'
import type { IpFamily } from '../../net/ipFamily.js'

/** The chains of kube-router that every node has, in the filter table. */
export const chainNames = {
  INPUT: 'KUBE-ROUTER-INPUT',
  FORWARD: 'KUBE-ROUTER-FORWARD',
  OUTPUT: 'KUBE-ROUTER-OUTPUT',
  default: 'KUBE-NWPLCY-DEFAULT',
  common: 'KUBE-NWPLCY-COMMON',
  tail: 'KUBE-NWPLCY-TAIL',
} as const

/** The built-in chains that jump to those of kube-router. */
export const hooks = ['INPUT', 'FORWARD', 'OUTPUT'] as const

/** A policy has allowed the packet; the chains of a pod clear this mark at their end. */
export const allowedMark = 0x10000

/** A rule of a ClusterNetworkPolicy has passed the packet to the next tier; the chains of a pod clear this mark at the end of the tier. */
export const nextTierMark = 0x40000

/** The policies of a pod have allowed the packet: it is accepted at the end of the hook. */
export const passedMark = 0x20000

/** A policy, or another namespaced object. */
export interface Named {
  readonly namespace: string
  readonly name: string
}

// kube-router hashes the time of its last sync too: names of a lab stay the same
/** The chain of a policy in one direction; `Egress` only of a policy that isolates in both. */
export function policyChain({ namespace, name }: Named, family: IpFamily, second: '' | 'egress'): string {
  return `KUBE-NWPLCY-${hashOf(`${namespace}${name}${second}${family}`)}`
}

/** The chain of a ClusterNetworkPolicy in one direction: kube-router has none, the form is that of its others. */
export function clusterPolicyChain(name: string, family: IpFamily, direction: 'ingress' | 'egress'): string {
  return `KUBE-CNPLCY-${hashOf(`${name}${direction}${family}`)}`
}

/** What the names of its sets are hashed from: no namespace has this name. */
export function clusterNamed(name: string): Named {
  return { namespace: 'cluster/', name }
}

/** The chain of a pod. */
export function podChain({ namespace, name }: Named): string {
  return `KUBE-POD-FW-${hashOf(`${namespace}${name}`)}`
}

/** The set of the pods that a policy selects: as destinations of ingress, as sources of egress. */
export function targetSet({ namespace, name }: Named, family: IpFamily, side: 'SRC' | 'DST'): string {
  return setName(side, `${namespace}${name}${family}`, family)
}

/** The set of the other ends of a rule: pods, or ranges of addresses. */
export function peerSet(
  { namespace, name }: Named,
  family: IpFamily,
  rule: { readonly direction: 'ingress' | 'egress'; readonly index: number },
  what: 'pod' | 'ipblock',
): string {
  const { direction, index } = rule
  return setName(
    direction === 'ingress' ? 'SRC' : 'DST',
    `${namespace}${name}${direction}rule${index}${family}${what}`,
    family,
  )
}

/** The set of the pods in which a port of a rule has one number. */
export function namedPortSet(
  { namespace, name }: Named,
  family: IpFamily,
  rule: { readonly direction: 'ingress' | 'egress'; readonly index: number },
  port: number,
): string {
  const { direction, index } = rule
  return setName('DST', `${namespace}${name}${direction}rule${index}${port}${family}namedport`, family)
}

function setName(side: 'SRC' | 'DST', hashed: string, family: IpFamily): string {
  return `${family === 'IPv4' ? '' : 'inet6:'}KUBE-${side}-${hashOf(hashed)}`
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The first 16 characters of a SHA-256 sum in base32: 80 bits. */
export function hashOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest()
  let [hash, bits, count] = ['', 0, 0]
  for (const byte of bytes.subarray(0, 10)) {
    bits = (bits << 8) | byte
    for (count += 8; count >= 5; count -= 5) hash += base32[(bits >> (count - 5)) & 31]
    bits &= (1 << count) - 1
  }
  return hash
}
