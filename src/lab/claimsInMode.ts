import type { BuiltInMode } from '../proxy/config.js'

/** What claims that a mode leaves out are about, for people. */
export const leftOutSubject: Readonly<Record<BuiltInMode, string>> = {
  iptables: 'rules',
  nftables: 'rules of mode iptables',
  ipvs: 'rules of mode iptables',
  userspace: 'rules of mode iptables, and about a request as one connection,',
}

/** Whether a claim of a lab that was not written for a mode says nothing, or the wrong thing, in it. */
export function isForeignTo(mode: BuiltInMode, key: string, value: unknown): boolean {
  switch (mode) {
    case 'iptables':
      return false
    case 'nftables':
    case 'ipvs':
      return isAboutRules(key, value)
    case 'userspace':
      return isAboutRules(key, value) || isAboutOneConnection(key, value)
  }
}

/** That nothing changed is meant of any rules. */
function isAboutRules(key: string, value: unknown): boolean {
  if (key === 'chains') return true
  return key === 'rules' && isRecord(value) && !('unchanged' in value)
}

/** kube-proxy's own process accepts the client's connection and makes another: no packet goes from one end to the other. */
const ofOneConnection = new Set([
  ...['dnat', 'snat', 'nat', 'hops', 'crosses', 'avoids', 'paths', 'conntrack', 'clientAddress'],
])

/** `some` is about whatever it holds. */
function isAboutOneConnection(key: string, value: unknown): boolean {
  if (key === 'some') return isRecord(value) && Object.keys(value).some((inner) => ofOneConnection.has(inner))
  return ofOneConnection.has(key)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
