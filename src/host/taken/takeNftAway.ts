import { parseNftLists, rulesByHandle } from '../../netfilter/nftList.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { KernelRule, TakenRule } from './takenRule.js'

/** What `takeRuleAway` does in kube-proxy's nft table: of a rule, or of an element of a set or map. */
export function takeNftAway(
  sandbox: Sandbox,
  netns: string,
  rule: KernelRule,
): Promise<TakenRule | undefined> {
  const feed: Feed = (input, options = []) => sandbox.run(['nft', ...options, '-f', '-'], { netns, input })
  const [, of = '', container = '', key = '', value] = addedElement.exec(rule.line) ?? []
  if (container === '') return takeRule(feed, rule)
  return takeElement(feed, rule.line, `${of} ${container}`, {
    key,
    kind: value === undefined ? 'set' : 'map',
  })
}

/** Runs `nft -f` with this input, whatever its result. */
type Feed = (
  input: string,
  options?: readonly string[],
) => Promise<{ readonly exitCode: number; readonly stdout: string }>

const addedElement = /^add element (\S+ \S+) (\S+) \{ (.*?)(?: comment "[^"]*")?(?: : (.*))? \}$/

async function takeElement(
  feed: Feed,
  line: string,
  container: string,
  { key, kind }: { readonly key: string; readonly kind: 'set' | 'map' },
): Promise<TakenRule | undefined> {
  const list = async () => {
    const { stdout } = await feed(`list ${kind} ${container}\n`, ['-s'])
    const elements = parseNftLists(stdout).flatMap(({ blocks }) => blocks.flatMap((block) => block.elements))
    return elements.toSorted().join('\n')
  }
  const before = await list()
  const { exitCode } = await feed(`delete element ${container} { ${key} }\n`)
  if (exitCode !== 0) return undefined
  return {
    putBack: async () => (await feed(`${line}\n`)).exitCode === 0 && (await list()) === before,
  }
}

async function takeRule(
  feed: Feed,
  { family, table, chain, spec, line }: KernelRule,
): Promise<TakenRule | undefined> {
  const of = `${family === 'IPv4' ? 'ip' : 'ip6'} ${table} ${chain}`
  const list = async () => {
    const { stdout } = await feed(`list chain ${of}\n`, ['-s', '-a'])
    return [...rulesByHandle(stdout)]
  }
  const before = await list()
  const index = before.findIndex(([, rule]) => rule === spec)
  const [handle] = before[index] ?? []
  if (handle === undefined) return undefined
  const { exitCode } = await feed(`delete rule ${of} handle ${handle}\n`)
  if (exitCode !== 0) return undefined
  const text = line.slice(`add rule ${of} `.length)
  const add =
    index === before.length - 1 ? `add rule ${of} ${text}` : `insert rule ${of} index ${index} ${text}`
  const rulesOf = (rules: typeof before) => rules.map(([, rule]) => rule).join('\n')
  return {
    putBack: async () => (await feed(`${add}\n`)).exitCode === 0 && rulesOf(await list()) === rulesOf(before),
  }
}
