import type { IpFamily } from '../cluster/types.js'
import { parseRule } from '../netfilter/rules/parse.js'
import { canonicalRule } from '../netfilter/rules/render.js'
import { specOf } from '../netfilter/save.js'
import type { Iptables } from './backend.js'
import type { Sandbox } from './sandbox.js'
import { takeNftAway } from './takeNftAway.js'

/** A rule that stands in a chain of one node. */
export interface StandingRule {
  readonly family: IpFamily
  /** `kube-proxy` in mode nftables. */
  readonly table: string
  /** Of nftables a set or map as well. */
  readonly chain: string
  /** As iptables-save or nft list it, without the chain's name. */
  readonly spec: string
  /** In mode nftables the line for `nft -f` that adds it. */
  readonly line: string
}

/** A rule that is gone from the kernel for a while. */
export interface TakenRule {
  /** Puts it back where it was; false when its chain then is not as it was before. */
  putBack(): Promise<boolean>
}

/** Deletes one rule or element, and nothing else; undefined where there is none. Throws CommandError. */
export function takeRuleAway(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  rule: StandingRule,
): Promise<TakenRule | undefined> {
  return rule.table === 'kube-proxy'
    ? takeNftAway(sandbox, netns, rule)
    : takeFromIptables(sandbox, iptables, netns, rule)
}

const what = 'taking a rule away'

async function takeFromIptables(
  sandbox: Sandbox,
  iptables: Iptables,
  netns: string,
  { family, table, chain, spec }: StandingRule,
): Promise<TakenRule | undefined> {
  const program = [iptables.program(family), '-w', '5', '-t', table]
  const list = async () => {
    const { exitCode, stdout } = await sandbox.run([...program, '-S', chain], { netns })
    return exitCode === 0 ? stdout : ''
  }
  const before = await list()
  const rules = before.split('\n').filter((line) => line.startsWith('-A '))
  const wanted = canonicalRule(parseRule(spec))
  const index = rules.findIndex((rule) => canonicalRule(parseRule(specOf({ chain, rule }))) === wanted)
  const line = rules[index]
  if (line === undefined) return undefined
  const place = String(index + 1)
  await sandbox.must(what, [...program, '-D', chain, place], { netns })
  return {
    async putBack() {
      const argv = [iptables.program(family, 'restore'), '-w', '5', '--noflush']
      const input = `*${table}\n${line.replace(`-A ${chain}`, `-I ${chain} ${place}`)}\nCOMMIT\n`
      await sandbox.must('putting a rule back', argv, { netns, input })
      return (await list()) === before
    },
  }
}
