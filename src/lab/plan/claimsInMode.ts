import type { ProxyMode } from '../../proxy/mode.js'
import { defaultMode } from '../../proxy/modes.js'

/** What claims that a mode leaves out are about, for people. */
export function leftOutSubject({ relaysConnections }: ProxyMode): string {
  const rules = `rules of mode ${defaultMode.name}`
  return relaysConnections ? `${rules}, and about a request as one connection,` : rules
}

/** Whether a claim of a lab that was not written for a mode says nothing, or the wrong thing, in it. */
export function isForeignTo(mode: ProxyMode, key: string, value: unknown): boolean {
  if (mode === defaultMode) return false
  return isAboutRules(key, value) || (mode.relaysConnections && isAboutOneConnection(key, value))
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
