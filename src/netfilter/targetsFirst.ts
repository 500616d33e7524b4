import type { RestoreChain } from './restoreChains.js'

/** Orders chains so that each one comes after the chains that it jumps to; undefined if chains jump in a loop. */
export function targetsFirst(chains: ReadonlyMap<string, RestoreChain>): RestoreChain[] | undefined {
  const result: RestoreChain[] = []
  const place = (chain: RestoreChain): boolean => {
    if (chain.state !== 'new') return chain.state === 'placed'
    chain.state = 'open'
    for (const name of chain.targets) {
      const target = chains.get(name)
      if (target !== undefined && !place(target)) return false
    }
    result.push(chain)
    chain.state = 'placed'
    return true
  }
  for (const chain of chains.values()) if (!place(chain)) return undefined
  return result
}
