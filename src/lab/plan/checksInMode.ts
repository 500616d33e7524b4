import type { ProxyMode } from '../../agents/kubeProxy/mode.js'
import { defaultMode } from '../../agents/kubeProxy/modes.js'

/** The subject of the checks that a mode leaves out, for messages. */
export function leftOutSubject({ relaysConnections }: ProxyMode): string {
  const rules = `rules of mode ${defaultMode.name}`
  return relaysConnections ? `${rules}, and about a request as one connection,` : rules
}

/** Whether a check of a lab that was not written for a mode does not apply in it. */
export function isForeignTo(mode: ProxyMode, key: string, value: unknown): boolean {
  if (mode === defaultMode) return false
  return isAboutRules(key, value) || (mode.relaysConnections && isAboutOneConnection(key, value))
}

/** Checks of chains and rules, except that no rule changed: that applies in every mode. */
function isAboutRules(key: string, value: unknown): boolean {
  if (key === 'chains') return true
  return key === 'rules' && isRecord(value) && !('unchanged' in value)
}

/** In mode userspace, kube-proxy accepts the client's connection and makes a second one: no packet goes end to end. */
const ofOneConnection = new Set([
  ...['dnat', 'snat', 'nat', 'hops', 'crosses', 'avoids', 'paths', 'conntrack', 'clientAddress'],
])

/** `some` is about the expectations in it. */
function isAboutOneConnection(key: string, value: unknown): boolean {
  if (key === 'some') return isRecord(value) && Object.keys(value).some((inner) => ofOneConnection.has(inner))
  return ofOneConnection.has(key)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
