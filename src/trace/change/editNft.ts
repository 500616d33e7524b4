import { nftTableName, type NftTracedChain } from '../../snapshot/model/nft.js'
import type { TraceState } from '../../snapshot/model/state.js'

/** A chain of a native table of nftables on one host. */
export interface NftChainReference {
  readonly place: string
  /** With its family: `ip kube-proxy`. */
  readonly table: string
  readonly chain: string
}

/** A chain of the state; undefined if there is no such chain. */
export function nftChainAt(
  { nft }: Pick<TraceState, 'nft'>,
  { place, table, chain }: NftChainReference,
): NftTracedChain | undefined {
  return nft
    .get(place)
    ?.tables.find((own) => nftTableName(own) === table)
    ?.chains.get(chain)
}

/** The state with a chain of nftables changed; unchanged if there is no such chain. */
export function editNftChain(
  state: TraceState,
  { place, table, chain }: NftChainReference,
  edit: (before: NftTracedChain) => NftTracedChain,
): TraceState {
  const ruleset = state.nft.get(place)
  if (ruleset === undefined) return state
  const tables = ruleset.tables.map((own) => {
    const before = nftTableName(own) === table ? own.chains.get(chain) : undefined
    return before === undefined ? own : { ...own, chains: new Map(own.chains).set(chain, edit(before)) }
  })
  return { ...state, nft: new Map(state.nft).set(place, { ...ruleset, tables }) }
}
