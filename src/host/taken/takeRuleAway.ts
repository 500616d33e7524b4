import { lockWait } from '../../netfilter/lockWait.js'
import { parseRule } from '../../netfilter/rules/parse.js'
import { canonicalRule } from '../../netfilter/rules/render.js'
import { specOf } from '../../netfilter/save.js'
import type { Iptables } from '../backend.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { KernelRule, TakenRule } from './takenRule.js'

const what = 'taking a rule away'

/** Deletes one rule of iptables, and nothing else; undefined where there is none. Throws CommandError. */
export async function takeRuleAway(
  sandbox: Sandbox,
  iptables: Pick<Iptables, 'program'>,
  netns: string,
  { family, table, chain, spec }: Pick<KernelRule, 'family' | 'chain' | 'spec'> & { readonly table: string },
): Promise<TakenRule | undefined> {
  const program = [iptables.program(family), ...lockWait, '-t', table]
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
      const argv = [iptables.program(family, 'restore'), ...lockWait, '--noflush']
      const input = `*${table}\n${line.replace(`-A ${chain}`, `-I ${chain} ${place}`)}\nCOMMIT\n`
      await sandbox.must('putting a rule back', argv, { netns, input })
      return (await list()) === before
    },
  }
}
