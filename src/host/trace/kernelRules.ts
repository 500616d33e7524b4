import type { IpFamily } from '../../net/ipFamily.js'
import { chainKey, ruleHandles, type KernelRules } from '../../netfilter/trace/ruleHandles.js'
import { parseNftLists, rulesOf } from '../../netfilter/nftList.js'
import { parseSave, type SavedTable } from '../../netfilter/save.js'
import { saveProgram } from '../readings.js'
import { readTogether } from '../sandbox/readTogether.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { isThere } from './kernelTrace.js'
import type { TracedPlace } from './traceListener.js'

/** The rules of each place, so that a trace can name them. Throws CommandError. */
export async function readKernelRules(
  sandbox: Sandbox,
  places: readonly TracedPlace[],
  families: readonly IpFamily[],
): Promise<ReadonlyMap<string, KernelRules>> {
  const read = async ({ place, netns }: TracedPlace) =>
    [place, await rulesIn(sandbox, netns, families)] as const
  return new Map(await Promise.all(places.filter(({ netns }) => isThere(sandbox, netns)).map(read)))
}

async function rulesIn(
  sandbox: Sandbox,
  netns: string | undefined,
  families: readonly IpFamily[],
): Promise<KernelRules> {
  const [handles, native, saved] = await readTogether(sandbox, 'reading the rules', { netns }, [
    { commands: [['nft', '-j', 'list', 'ruleset']], parse: ([text = '']) => ruleHandles(text) },
    { commands: [['nft', '-s', 'list', 'ruleset']], parse: ([text = '']) => nftTexts(text) },
    {
      commands: families.map((family) => [saveProgram(family)]),
      parse: (outputs) => families.map((family, index) => ofFamily(family, outputs[index] ?? '')),
    },
  ])
  const policies = policiesOf(saved)
  // of tables that iptables owns, the text of iptables-save comes first
  const all = [...saved.map(savedTexts), native]
  return {
    rule({ handle, number, ...chain }) {
      const key = chainKey(chain)
      const index = number === undefined ? (handles.get(key)?.indexOf(handle ?? 0) ?? -1) : number - 1
      if (index < 0) return undefined
      const spec = all.map((chains) => chains.get(key)?.[index]).find((one) => one !== undefined)
      return number !== undefined && spec === undefined ? undefined : { number: index + 1, spec }
    },
    policy: (chain) => policies.get(chainKey(chain)),
  }
}

/** What iptables-save prints of a family. */
interface SavedFamily {
  readonly family: 'ip' | 'ip6'
  readonly tables: readonly SavedTable[]
}

function ofFamily(family: IpFamily, text: string): SavedFamily {
  // where no rule was ever written, nothing is printed
  const tables = text.trim() === '' ? [] : parseSave(text)
  return { family: family === 'IPv4' ? 'ip' : 'ip6', tables }
}

/** The rules of each chain, as iptables-save prints them. */
function savedTexts({ family, tables }: SavedFamily): ReadonlyMap<string, readonly string[]> {
  const chains = new Map<string, string[]>()
  for (const { table, rules } of tables)
    for (const { chain, spec } of rules) {
      const key = chainKey({ family, table, chain })
      const own = chains.get(key)
      if (own === undefined) chains.set(key, [spec])
      else own.push(spec)
    }
  return chains
}

function policiesOf(saved: readonly SavedFamily[]): ReadonlyMap<string, 'accept' | 'drop'> {
  return new Map(
    saved.flatMap(({ family, tables }) =>
      tables.flatMap(({ table, chains }) =>
        chains
          .filter(({ policy }) => policy !== '-')
          .map(({ name, policy }) => {
            const key = chainKey({ family, table, chain: name })
            return [key, policy === 'DROP' ? 'drop' : 'accept'] as const
          }),
      ),
    ),
  )
}

/** The rules of each chain, as nft lists them. */
function nftTexts(text: string): ReadonlyMap<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>()
  for (const { table: head, blocks } of parseNftLists(text)) {
    const [, family = '', table = ''] = head.split(' ')
    for (const block of blocks)
      if (block.kind === 'chain') chains.set(chainKey({ family, table, chain: block.name }), rulesOf(block))
  }
  return chains
}
