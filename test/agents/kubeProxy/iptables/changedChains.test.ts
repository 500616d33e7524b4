import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { changesBetween } from '../../../../src/agents/kubeProxy/changes.js'
import type { ProxyInput } from '../../../../src/agents/kubeProxy/input.js'
import { renderChangedChains } from '../../../../src/agents/kubeProxy/iptables/changedChains.js'
import {
  renderFullRestore,
  renderSync,
  staleChains,
} from '../../../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../../../src/agents/kubeProxy/iptables/ruleset.js'
import { arbitraryInput } from '../arbitraryInput.js'

/** The kernel's rules after loading restore text: those of each chain, by table; a chain line empties its chain. */
function load(into: Map<string, string[]>, text: string): Map<string, string[]> {
  const chains = new Map(into)
  let table = ''
  for (const line of text.split('\n')) {
    const [first = '', second = ''] = line.split(' ')
    const key = (chain: string) => `${table} ${chain}`
    if (line.startsWith('*')) table = line.slice(1)
    else if (line.startsWith(':')) chains.set(key(first.slice(1)), [])
    else if (first === '-X') chains.delete(key(second))
    else if (first === '-A') chains.set(key(second), [...(chains.get(key(second)) ?? []), line])
    else if (first === '-I') chains.set(key(second), [line, ...(chains.get(key(second)) ?? [])])
  }
  return chains
}

t.test('skipping unchanged shared chains gives the same rules', (t) => {
  fc.assert(
    fc.property(arbitraryInput, arbitraryInput, fc.boolean(), (first, other, sameEndpoints) => {
      // the Services of the one with the configuration of the other: what all rules share must not change
      const second: ProxyInput = {
        ...first,
        services: sameEndpoints ? first.services : other.services,
        endpointSlices: other.endpointSlices,
      }
      const [before, after] = [buildRuleset(first, 'IPv4'), buildRuleset(second, 'IPv4')]
      const found = load(new Map(), renderFullRestore(before))
      const existing = [...found.keys()].filter((key) => key.startsWith('nat ')).map((key) => key.slice(4))
      const options = {
        only: changesBetween(first, second, 'IPv4').services,
        staleChains: staleChains(after, existing),
      }
      const economical = load(found, renderChangedChains(before, after, options))
      return isDeepStrictEqual(economical, load(found, renderSync(after, options)))
    }),
    { numRuns: 100 },
  )
  t.pass()
  t.end()
})

t.test('nothing changed: nothing is written', (t) => {
  fc.assert(
    fc.property(arbitraryInput, (from) => {
      const ruleset = buildRuleset(from, 'IPv4')
      return renderChangedChains(ruleset, ruleset, { only: new Set() }) === ''
    }),
    { numRuns: 20 },
  )
  t.pass()
  t.end()
})
