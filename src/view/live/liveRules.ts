import { loadSave } from '../../snapshot/rules/loadRestore.js'
import * as z from 'zod'
import { iptablesProgram } from '../../host/backend.js'
import { savedNow } from '../../host/readings.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import type { TakenRule } from '../../host/taken/takenRule.js'
import { takeNftAway } from '../../host/taken/takeNftAway.js'
import { takeRuleAway } from '../../host/taken/takeRuleAway.js'
import { HttpError } from '../../host/view/httpError.js'
import { plannedUpLab } from '../../inspect/traceInLab.js'
import { inMode, plannedState } from '../../snapshot/fromPlan/plannedState.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { modeNames, type ModeName } from '../../agents/kubeProxy/config.js'
import { nftWithMeaning, tablesWithMeaning } from '../../snapshot/meaning.js'
import { isNative } from '../../snapshot/model/nft.js'
import { listedNft } from '../../snapshot/rules/listedNft.js'
import type { UpLab } from '../../up/upLab.js'
import type { LiveChain, LiveLab, LiveRule, NodeRules, SwitchRule } from './api.js'
import { inOrderOfHooks, iptablesChains, nftChains } from './nodeRules.js'
import { readJson } from './readJson.js'

/** The rules of the nodes of a running lab. */
export interface LiveRules {
  /** Throws HttpError for another node, family or mode. */
  read(node: string, query: URLSearchParams): Promise<NodeRules>
  /** Takes a rule out of the kernel, or puts it back. Throws HttpError if there is none. */
  turn(node: string, change: SwitchRule): Promise<NodeRules>
  /** Puts back every rule that is switched off; errors of a lab that ends are ignored. */
  putBack(): Promise<void>
}

interface OffRule {
  readonly node: string
  readonly family: IpFamily
  readonly table: string
  readonly chain: string
  readonly rule: LiveRule
  /** Its position in the chain, from 0. */
  readonly position: number
  readonly taken: TakenRule
}

/** The rules of a lab, with those that pages have switched off; `onSwitch` gets the node of each change. */
export function createLiveRules(up: UpLab, lab: () => LiveLab, onSwitch: (node: string) => void): LiveRules {
  const sandbox = joinSandbox(up.pid, up.rootless)
  const off = new Map<string, OffRule>()
  let last: Promise<unknown> = Promise.resolve()
  const queued = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const plan = async (netns: string, mode?: ModeName) => {
    const { model } = await plannedUpLab(up)
    const { rules, nft } = plannedState(mode === undefined ? model : inMode(model, mode))
    return { rules: rules.get(netns), nft: nft.get(netns) }
  }
  const readLive = async (node: string, family: IpFamily): Promise<LiveChain[]> => {
    const netns = netnsOf(lab(), node)
    const listing = sandbox.must('reading the rules', ['nft', '-s', 'list', 'ruleset'], { netns })
    const [planned, saved, { stdout }] = await Promise.all([
      plan(netns),
      savedNow(sandbox, netns, family),
      listing,
    ])
    return [
      ...iptablesChains(tablesWithMeaning(loadSave(saved), planned.rules?.[family]), (table, chain) =>
        (saved.find((one) => one.table === table)?.rules ?? [])
          .filter((rule) => rule.chain === chain)
          .map(({ packets }) => packets),
      ),
      ...nftChains(nftWithMeaning(listedNft(stdout), planned.nft), family),
    ]
  }
  const answer = async (node: string, family: IpFamily): Promise<NodeRules> => {
    const chains = await readLive(node, family)
    const ids = new Set(chains.flatMap(({ rules }) => rules.map(({ id }) => id)))
    // kube-proxy may have written it again
    for (const [key, one] of off) if (isOf(one, node, family) && ids.has(one.rule.id)) off.delete(key)
    const missing = [...off.values()].filter((one) => isOf(one, node, family))
    return {
      ...{ node, family, mode: lab().mode, isLive: true },
      chains: inOrderOfHooks(chains.map((chain) => withOff(chain, missing))),
    }
  }
  const putBack = async (key: string, one: OffRule) => {
    off.delete(key)
    const chains = await readLive(one.node, one.family)
    const isBack = chains.some(({ rules }) => rules.some(({ id }) => id === one.rule.id))
    if (!isBack) await one.taken.putBack()
  }
  const takeOut = async (node: string, family: IpFamily, id: string) => {
    const netns = netnsOf(lab(), node)
    for (const { table, chain, rules } of await readLive(node, family)) {
      const position = rules.findIndex((one) => one.id === id)
      const rule = rules[position]
      if (rule === undefined) continue
      const [ipFamily = '', name = ''] = table.split(' ')
      const found = { family, chain, spec: rule.text }
      if (isNative(table) && name !== 'kube-proxy')
        throw new HttpError(400, `rules of table ${table} cannot be switched off`)
      const taken = isNative(table)
        ? await takeNftAway(sandbox, netns, {
            ...{ ...found, table: 'kube-proxy' },
            line: `add rule ${ipFamily} ${name} ${chain} ${rule.text}`,
          })
        : await takeRuleAway(sandbox, { program: (...of) => iptablesProgram(undefined, ...of) }, netns, {
            ...found,
            table,
          })
      if (taken !== undefined)
        off.set(`${node} ${family} ${id}`, { node, family, table, chain, rule, position, taken })
      return
    }
    throw new HttpError(404, `${node} has no such rule now`)
  }
  /** The rules of its chain that were taken out later are put back first, and taken out again: positions count the others. */
  const restore = async (key: string, one: OffRule) => {
    const all = [...off]
    const later = all
      .slice(all.findIndex(([other]) => other === key) + 1)
      .filter(([, other]) => isOf(other, one.node, one.family))
      .filter(([, { table, chain }]) => table === one.table && chain === one.chain)
    for (const [other, found] of [...later.toReversed(), [key, one] as const]) await putBack(other, found)
    for (const [, { rule }] of later) await takeOut(one.node, one.family, rule.id)
  }

  return {
    async read(node, query) {
      const family = familyOf(lab(), query.get('family'))
      const mode = query.get('mode') ?? lab().mode
      const netns = netnsOf(lab(), node)
      if (mode === lab().mode) return queued(() => answer(node, family))
      if (!isModeName(mode)) throw new HttpError(400, `the modes are ${modeNames.join(', ')}`)
      const { rules, nft } = await plan(netns, mode)
      const chains = [
        ...iptablesChains(rules?.[family] ?? new Map<string, never>()),
        ...(nft === undefined ? [] : nftChains(nft, family)),
      ]
      return { node, mode, family, isLive: false, chains: inOrderOfHooks(chains) }
    },
    turn: (node, { family, id, off: wanted }) =>
      queued(async () => {
        netnsOf(lab(), node)
        const key = `${node} ${familyOf(lab(), family)} ${id}`
        const found = off.get(key)
        if (found === undefined && wanted) await takeOut(node, family, id)
        if (found !== undefined && !wanted) await restore(key, found)
        onSwitch(node)
        return answer(node, family)
      }),
    putBack: () =>
      queued(async () => {
        // the last one first: a position counts the rules that were there
        for (const [key, one] of [...off].reverse()) await putBack(key, one).catch(() => undefined)
      }),
  }
}

const switchSchema = z.strictObject({
  family: z.enum(['IPv4', 'IPv6']),
  id: z.string().max(64),
  off: z.boolean(),
})

/** Parses the body of a call. Throws HttpError. */
export function readSwitch(body: string): SwitchRule {
  return readJson(switchSchema, body)
}

function isOf(one: OffRule, node: string, family: IpFamily): boolean {
  return one.node === node && one.family === family
}

/** A chain with the rules that were taken out of it. */
function withOff(chain: LiveChain, off: readonly OffRule[]): LiveChain {
  const own = off.filter((one) => one.table === chain.table && one.chain === chain.chain)
  const rules = [...chain.rules]
  for (const { rule, position } of own.toReversed()) rules.splice(position, 0, { ...rule, isOff: true })
  return { ...chain, rules }
}

/** The network namespace of a node. Throws HttpError. */
export function netnsOf({ places }: LiveLab, node: string): string {
  const found = Object.entries(places).find(([, { kind, name }]) => kind === 'node' && name === node)
  if (found === undefined) throw new HttpError(404, `there is no node ${node}`)
  return found[0]
}

/** The family that a page asks for, by default the first. Throws HttpError. */
export function familyOf({ families }: LiveLab, written: string | null): IpFamily {
  const found = families.find((family) => family === written) ?? (written === null ? families[0] : undefined)
  if (found === undefined) throw new HttpError(400, `the families of the lab are ${families.join(', ')}`)
  return found
}

/** Whether a text is the name of a mode. */
export function isModeName(text: string | undefined): text is ModeName {
  return modeNames.some((mode) => mode === text)
}
