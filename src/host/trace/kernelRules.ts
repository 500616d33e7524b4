import type { IpFamily } from '../../net/ipFamily.js'
import { chainKey, ruleHandles, type KernelRules } from '../../netfilter/trace/ruleHandles.js'
import { parseNftLists, rulesOf } from '../../netfilter/nftList.js'
import { parseSave, type SavedTable } from '../../netfilter/save.js'
import { saveProgram } from '../readings.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { isThere, type TracedPlace } from './kernelTrace.js'

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
  const what = 'reading the rules'
  const list = sandbox.must(what, ['nft', '-j', 'list', 'ruleset'], { netns })
  const texts = sandbox.must(what, ['nft', '-s', 'list', 'ruleset'], { netns })
  const save = async (family: IpFamily) => {
    const { stdout } = await sandbox.must(what, [saveProgram(family)], { netns })
    // where no rule was ever written, nothing is printed
    const tables = stdout.trim() === '' ? [] : parseSave(stdout)
    return { family: family === 'IPv4' ? 'ip' : 'ip6', tables } as const
  }
  const [{ stdout }, native, ...saved] = await Promise.all([list, texts, ...families.map(save)])
  const handles = ruleHandles(stdout)
  const policies = policiesOf(saved)
  // of tables that iptables owns, the text of iptables-save comes first
  const all = [...saved.map(savedTexts), nftTexts(native.stdout)]
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

/** The names of the interfaces of each place, by index. Throws CommandError. */
export async function readInterfaces(
  sandbox: Sandbox,
  places: readonly TracedPlace[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, string>>> {
  const read = async ({ place, netns }: TracedPlace) => {
    const { stdout } = await sandbox.must('reading interfaces', ['ip', '-j', 'link'], { netns })
    const links = JSON.parse(stdout) as readonly { readonly ifindex: number; readonly ifname: string }[]
    return [place, new Map(links.map(({ ifindex, ifname }) => [ifindex, ifname]))] as const
  }
  return new Map(await Promise.all(places.filter(({ netns }) => isThere(sandbox, netns)).map(read)))
}
