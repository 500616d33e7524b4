import { InputError } from '../errors.js'
import { liveModeOf } from '../host/proxier/liveModes.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
import { chosenRules, type RulesOfNode, type RulesQuestion } from '../diagnose/rules.js'
import type { IpFamily } from '../net/ipFamily.js'
import { inputOfNode } from '../agents/kubeProxy/input.js'
import { defaultMode, modeOf } from '../agents/kubeProxy/modes.js'
import { didYouMean } from '../text/nearestName.js'
import { readProxyState, type UpLab } from '../up/upLab.js'
import type { UpProxyState } from '../up/upState.js'

/** Reads the rules from the node's kernel and explains them. Throws InputError for a node or Service that does not exist. */
export async function rulesOfNode(lab: UpLab, question: RulesQuestion): Promise<RulesOfNode> {
  const { node, language } = question
  const { sandbox, netns, families, state, live, mode } = await nodeOf(lab, question)
  const { inputs, backend } = state
  if (inputs === undefined) throw noKubeProxy(lab, node)
  const input = inputOfNode(inputs, node)
  const explained = await Promise.all(
    families.map(async (family) => {
      const found = await live.find(sandbox, netns, family)
      const ruleset = mode.explain(input, family, found, language)
      return chosenRules(ruleset, input, question, family)
    }),
  )
  return { lab: lab.lab, node, mode: mode.name, backend, families: explained }
}

/** The rules as the tools of the mode print them (`iptables-save -c`, `nft list`, `ipvsadm -S`), of other programs too. */
export async function printedRules(
  lab: UpLab,
  question: Pick<RulesQuestion, 'node' | 'family'>,
): Promise<string> {
  const { sandbox, netns, families, live } = await nodeOf(lab, question)
  return live.print(sandbox, netns, families)
}

async function nodeOf(lab: UpLab, { node, family }: Pick<RulesQuestion, 'node' | 'family'>) {
  const state = await readProxyState(lab)
  const netns = netnsOf(lab, node)
  const families = family === undefined ? state.families : [ownFamily(state, family)]
  const mode = state.inputs === undefined ? defaultMode : modeOf(state.inputs.config.mode)
  const sandbox = joinSandbox(lab.pid, lab.rootless)
  return { sandbox, netns, families, state, mode, live: liveModeOf(mode.name) }
}

function noKubeProxy({ lab }: UpLab, node: string): InputError {
  const message = `the nodes of "${lab}" run no kube-proxy`
  return new InputError([{ message, hint: `vethlab rules ${lab} ${node} --raw prints the node's rules` }])
}

function ownFamily({ families }: UpProxyState, family: IpFamily): IpFamily {
  if (families.includes(family)) return family
  throw new InputError([
    { message: `the lab has no ${family}`, hint: `its nodes have ${families.join(' and ')}` },
  ])
}

function netnsOf({ lab, places }: UpLab, node: string): string {
  const nodes = places.filter(({ kind }) => kind === 'node')
  const found = nodes.find(({ name }) => name === node)
  if (found !== undefined) return found.netns
  const names = nodes.map(({ name }) => name)
  const hint = didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`
  throw new InputError([{ message: `the lab "${lab}" has no node "${node}"`, hint }])
}
