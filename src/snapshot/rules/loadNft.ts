import type { Meaning, RuleMeaning } from '../../agents/meaning.js'
import { elementsOf, keyText, readElement } from '../../netfilter/nft/elements.js'
import { readHook } from '../../netfilter/nft/hook.js'
import type { NftElement, NftHook } from '../../netfilter/nft/model.js'
import { splitElements } from '../../netfilter/nftList.js'
import { parseNftRule } from '../../netfilter/nft/statements.js'
import { nftTableName, type NftRuleset, type NftTable, type NftTracedRule } from '../model/nft.js'

interface Loading {
  readonly family: string
  readonly name: string
  readonly chains: Map<string, { hook?: NftHook | undefined; rules: NftTracedRule[] }>
  readonly sets: Map<string, { elements: Map<string, NftElement>; meanings: Map<string, Meaning> }>
}

/**
 * The tables after `nft -f` has read commands that add tables, chains, sets, maps, elements and rules, one command a line, as
 * kube-proxy and the agent of policies write them; other commands change nothing.
 */
export function loadNft(text: string, known: ReadonlyMap<string, RuleMeaning> = new Map()): NftRuleset {
  const tables = new Map<string, Loading>()
  for (const line of text.split('\n')) {
    const [, command = '', kind = '', family = '', name = '', rest = ''] =
      /^(\w+) (\w+) (\S+) (\S+) ?(.*)$/.exec(line) ?? []
    if (command !== 'add') continue
    const table = tables.get(`${family} ${name}`) ?? { family, name, chains: new Map(), sets: new Map() }
    tables.set(`${family} ${name}`, table)
    const [, object = '', more = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? []
    if (kind !== 'table') add(table, kind, object, more, known.get(line))
  }
  const loaded = [...tables.values()].map(loadedTable)
  return { tables: loaded, order: loaded.map(nftTableName) }
}

function add(
  { chains, sets }: Loading,
  kind: string,
  name: string,
  text: string,
  known: RuleMeaning | undefined,
): void {
  switch (kind) {
    case 'chain':
      chains.set(name, { hook: readHook(text), rules: [] })
      return
    case 'set':
    case 'map':
      if (!sets.has(name)) sets.set(name, { elements: new Map(), meanings: new Map() })
      return
    case 'element': {
      const set = sets.get(name)
      for (const one of splitElements(text.replace(/^\{ | \}$/g, ''))) {
        const element = readElement(one)
        set?.elements.set(keyText(element.key), element)
        if (known === undefined) continue
        const { spec: _spec, ...meaning } = known
        set?.meanings.set(element.text, meaning)
      }
      return
    }
    case 'rule': {
      const meaning = known ?? { spec: text }
      chains.get(name)?.rules.push({ statements: parseNftRule(meaning.spec), ...meaning })
    }
  }
}

function loadedTable({ family, name, chains, sets }: Loading): NftTable {
  const named = [...sets].map(
    ([set, { elements, meanings }]) => [set, { elements: elementsOf(elements.values()), meanings }] as const,
  )
  return { family, name, chains, sets: new Map(named) }
}
