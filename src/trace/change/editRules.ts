import type { IpFamily } from '../../net/ipFamily.js'
import type { RuleTables, TracedChain, TracedRule, TraceState } from '../../snapshot/model/state.js'

/** A chain of one family on one host. */
export interface ChainReference {
  readonly place: string
  readonly family: IpFamily
  readonly table: string
  readonly chain: string
}

/** The state with a chain changed; undefined as a result removes it. A host without rules gets the tables of iptables. */
export function editChain(
  state: TraceState,
  { place, family, table, chain }: ChainReference,
  edit: (before: TracedChain | undefined) => TracedChain | undefined,
): TraceState {
  const families = state.rules.get(place) ?? {}
  const tables = families[family] ?? new Map<string, ReadonlyMap<string, TracedChain>>()
  const chains = new Map(tables.get(table))
  const after = edit(chains.get(chain))
  if (after === undefined) chains.delete(chain)
  else chains.set(chain, after)
  const own: RuleTables = new Map(tables).set(table, chains)
  return { ...state, rules: new Map(state.rules).set(place, { ...families, [family]: own }) }
}

/** The state without one rule, which is found by identity. */
export function removeRule(state: TraceState, reference: ChainReference, rule: TracedRule): TraceState {
  return editChain(
    state,
    reference,
    (chain) => chain && { ...chain, rules: chain.rules.filter((one) => one !== rule) },
  )
}

/** The state with a sysctl of a host set. */
export function setSysctl(
  state: TraceState,
  place: string,
  values: Readonly<Record<string, string | number>>,
): TraceState {
  const before = state.sysctls.get(place) ?? {}
  const forward = values['net.ipv4.ip_forward']
  // the kernel sets all interfaces with it
  const devices = Object.keys(before).filter((name) => /^net\.ipv4\.conf\..*\.forwarding$/.test(name))
  const ofDevices = forward === undefined ? {} : Object.fromEntries(devices.map((name) => [name, forward]))
  const sysctls = new Map(state.sysctls).set(place, { ...before, ...ofDevices, ...values })
  return { ...state, sysctls }
}
