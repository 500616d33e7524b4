import type { NftExpression } from '../../netfilter/nft/model.js'
import type { NftTable, NftTracedChain } from '../../snapshot/model/nft.js'
import type { TraceState } from '../../snapshot/model/state.js'
import type { End } from '../model/steps.js'
import type { Interface, Reached } from '../network/links.js'
import { end } from './ends.js'

/**
 * The end of a frame on a link that meets rules which are not evaluated: those of family arp on the hosts at its ends, those of
 * interfaces that drop frames of ARP too, of family bridge where it crosses a bridge, and of the ports of that bridge.
 */
export function unseenEnd(state: TraceState, from: Interface, reached: Reached): End | undefined {
  const { crossed } = reached
  for (const { place: host, device } of [from, reached]) {
    for (const table of tables(state, host, 'arp'))
      // by its own table, vethlab has nodes answer ARP for addresses of load balancers: see `TraceState.silent`
      if (table.name !== 'vethlab' && baseChains(table).some(decides)) return notPredicted(host, table)
    for (const table of tables(state, host, 'netdev', 'inet'))
      if (baseChains(table).some((chain) => isOn(chain, [device]) && dropsAny(chain)))
        return notPredicted(host, table)
  }
  for (const { place: host, from: entry, to } of crossed) {
    for (const table of tables(state, host, 'bridge'))
      if (baseChains(table).some(decides)) return notPredicted(host, table)
    for (const table of tables(state, host, 'netdev', 'inet'))
      if (baseChains(table).some((chain) => isOn(chain, [entry, to]) && decides(chain)))
        return notPredicted(host, table)
  }
  return undefined
}

function tables({ nft }: TraceState, place: string, ...families: readonly string[]): readonly NftTable[] {
  return nft.get(place)?.tables.filter(({ family }) => families.includes(family)) ?? []
}

function baseChains({ chains }: NftTable): readonly NftTracedChain[] {
  return [...chains.values()].filter(({ hook }) => hook !== undefined)
}

/** Whether a chain can do more than count. */
function decides({ hook, rules }: NftTracedChain): boolean {
  return (
    hook?.policy === 'drop' ||
    rules.some(({ statements }) =>
      statements.some(
        (one) =>
          !['match', 'limit', 'quota', 'connections', 'passing'].includes(one.kind) &&
          !(one.kind === 'verdict' && one.verdict.kind === 'accept'),
      ),
    )
  )
}

/** Whether a chain can drop frames that are no packets of IP: then hosts do not find each other. */
function dropsAny({ hook, rules }: NftTracedChain): boolean {
  return (
    hook?.policy === 'drop' ||
    rules.some(({ statements }) => {
      const isOfIp = statements.some((one) => one.kind === 'match' && readsIp(one.left))
      return !isOfIp && statements.some(({ kind }) => kind !== 'match' && kind !== 'passing')
    })
  )
}

function readsIp(left: NftExpression): boolean {
  if (left.kind === 'concat') return left.parts.some(readsIp)
  if (left.kind === 'binary') return readsIp(left.left)
  return left.kind === 'payload' || (left.kind === 'meta' && ['l4proto', 'nfproto'].includes(left.key))
}

function isOn({ hook }: NftTracedChain, devices: readonly (string | undefined)[]): boolean {
  return hook?.devices?.some((device) => devices.includes(device)) === true
}

function notPredicted(place: string, { family, name }: NftTable): End {
  return end(
    'untraceable',
    place,
    `what the rules of table ${family} ${name} on ${place} do is not predicted`,
    'unknown',
  )
}
