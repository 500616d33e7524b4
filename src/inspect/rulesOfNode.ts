import type { Service } from '../cluster/types.js'
import { InputError } from '../errors.js'
import { liveModeOf } from '../host/proxier/liveModes.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { ModeName } from '../proxy/config.js'
import type { ExplainedRuleset } from '../proxy/iptables/explained/types.js'
import { inputOfNode, type ProxyInput } from '../proxy/input.js'
import { defaultMode, modeOf } from '../proxy/modes.js'
import { whyWithoutRules } from '../proxy/withoutRules.js'
import type { Language } from '../text/language.js'
import { didYouMean } from '../text/nearestName.js'
import { readProxyState, type UpLab } from '../up/upLab.js'
import type { UpProxyState } from '../up/upState.js'

/** Which rules of a node: of one Service only, of one family only. */
export interface RulesQuestion {
  readonly node: string
  /** `namespace/name`, or the name of a Service in `default`. */
  readonly service?: string | undefined
  readonly family?: IpFamily | undefined
  /** Of the explanations. */
  readonly language: Language
}

/** The rules on a node of a running lab, compared with what its kube-proxy should have written. */
export interface RulesOfNode {
  readonly lab: string
  readonly node: string
  readonly mode: ModeName
  readonly backend: string
  readonly families: readonly ExplainedFamily[]
}

/** The rules of one family, and the Services that have none, with the reason. */
export interface ExplainedFamily extends ExplainedRuleset {
  readonly withoutRules: readonly {
    readonly namespace: string
    readonly name: string
    readonly why: string
  }[]
}

/** Reads the rules from the node's kernel and explains them. Throws InputError for a node or Service that does not exist. */
export async function rulesOfNode(lab: UpLab, question: RulesQuestion): Promise<RulesOfNode> {
  const { node, language } = question
  const { sandbox, netns, families, state, live, mode } = await nodeOf(lab, question)
  const { inputs, backend } = state
  if (inputs === undefined) throw noKubeProxy(lab, node)
  const input = inputOfNode(inputs, node)
  const explained = await Promise.all(
    families.map(async (family) => {
      const ruleset = await live.explain(sandbox, netns, input, family, language)
      return chosenRules(ruleset, input, question, family)
    }),
  )
  return { lab: lab.lab, node, mode: mode.name, backend, families: explained }
}

/** What the question asks for. Throws InputError for a Service that does not exist. */
export function chosenRules(
  ruleset: ExplainedRuleset,
  { services }: Pick<ProxyInput, 'services'>,
  { service: name, language }: Pick<RulesQuestion, 'service' | 'language'>,
  family: IpFamily,
): ExplainedFamily {
  const service = name === undefined ? undefined : findService(services, name)
  const chosen = service === undefined ? ruleset : only(ruleset, service)
  return {
    ...chosen,
    withoutRules: withoutRules(service === undefined ? services : [service], family, language),
  }
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

function findService(services: readonly Service[], written: string): Service {
  const nameOf = ({ metadata }: Service) => `${metadata.namespace ?? 'default'}/${metadata.name}`
  const wanted = written.includes('/') ? written : `default/${written}`
  const found = services.find((service) => nameOf(service) === wanted)
  if (found !== undefined) return found
  const names = services.map(nameOf)
  const hint = didYouMean(wanted, names) ?? `its Services are ${names.join(', ')}`
  throw new InputError([{ message: `the lab has no Service "${wanted}"`, hint }])
}

function only(ruleset: ExplainedRuleset, { metadata }: Service): ExplainedRuleset {
  const services = ruleset.services.filter(
    ({ namespace, name }) => namespace === (metadata.namespace ?? 'default') && name === metadata.name,
  )
  return { family: ruleset.family, first: [], services, last: [], others: [] }
}

function withoutRules(
  services: readonly Service[],
  family: IpFamily,
  language: Language,
): ExplainedFamily['withoutRules'] {
  return services.flatMap((service) => {
    const why = whyWithoutRules(service, family, language)
    const { namespace = 'default', name } = service.metadata
    return why === undefined ? [] : [{ namespace, name, why }]
  })
}
