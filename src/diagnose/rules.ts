import { namespacedName } from '../cluster/namespacedName.js'
import type { Service } from '../cluster/types.js'
import { InputError } from '../errors.js'
import { compareRulesets, type Difference } from '../netfilter/difference.js'
import type { SavedTable } from '../netfilter/save.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import type { ProxyInput } from '../agents/kubeProxy/input.js'
import { abilitiesOf } from '../agents/kubeProxy/iptables/abilities.js'
import { explainRuleset } from '../agents/kubeProxy/iptables/explained/explainedRuleset.js'
import type { ExplainedRuleset } from '../agents/kubeProxy/iptables/explained/types.js'
import { buildRuleset } from '../agents/kubeProxy/iptables/ruleset.js'
import { toSaved } from '../agents/kubeProxy/iptables/saved.js'
import { modeOf } from '../agents/kubeProxy/modes.js'
import { whyWithoutRules } from '../agents/kubeProxy/withoutRules.js'
import { proxiedNodes } from '../snapshot/fromPlan/plannedState.js'
import type { ProxiedNode } from '../agents/agent.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import type { Language } from '../text/language.js'
import { didYouMean } from '../text/nearestName.js'

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

/** The rules of a node in a snapshot, compared with what its kube-proxy should have written. Throws InputError. */
export function rulesInSnapshot(snapshot: Snapshot, question: RulesQuestion): RulesOfNode {
  const { model } = snapshot
  const { input, mode } = iptablesNode(snapshot, question.node)
  const families = familiesOf(snapshot, question.family).map((family) => {
    const saved = savedTables(snapshot, question.node, family)
    const ruleset = explainRuleset(expectedRules(input, saved, family), saved, question.language)
    return chosenRules(ruleset, input, question, family)
  })
  return { lab: model.lab.name, node: question.node, mode: mode.name, backend: 'snapshot', families }
}

/** How the rules of a node in a snapshot differ from what its kube-proxy should have written. Throws InputError. */
export function differencesInSnapshot(
  snapshot: Snapshot,
  node: string,
  family?: IpFamily,
): readonly Difference[] {
  const { input } = iptablesNode(snapshot, node)
  return familiesOf(snapshot, family).flatMap((one) => {
    const saved = savedTables(snapshot, node, one)
    return compareRulesets(toSaved(expectedRules(input, saved, one)), saved)
  })
}

/** The rules show whether the kernel has nfacct, and iptables --random-fully. */
function expectedRules(input: ProxiedNode['input'], saved: readonly SavedTable[], family: IpFamily) {
  const written = saved.some(({ rules }) => rules.some(({ chain }) => chain === 'KUBE-POSTROUTING'))
  return buildRuleset({ ...input, ...(written ? abilitiesOf(saved) : {}) }, family)
}

function iptablesNode({ model }: Snapshot, node: string): ProxiedNode {
  const found = proxiedNodes(model).get(node)
  const names = model.topology.nodes.map(({ name }) => name)
  const fail = (message: string, hint?: string) => new InputError([{ message, hint }])
  if (!names.includes(node))
    throw fail(
      `the snapshot has no node "${node}"`,
      didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`,
    )
  if (found === undefined) throw fail('the nodes of this snapshot run no kube-proxy')
  if (found.mode !== modeOf('iptables'))
    throw fail(
      `the rules of mode ${found.mode.name} are compared on a running lab only`,
      `vethlab rules ${model.lab.name} ${node}`,
    )
  return found
}

function familiesOf({ model }: Snapshot, family: IpFamily | undefined): readonly IpFamily[] {
  const { families } = model.topology
  if (family === undefined) return families
  if (families.includes(family)) return [family]
  throw new InputError([{ message: `the snapshot has no ${family}`, hint: `it has ${families.join(', ')}` }])
}

function savedTables({ model, state }: Snapshot, node: string, family: IpFamily): SavedTable[] {
  const netns = model.topology.nodes.find(({ name }) => name === node)?.netns ?? node
  return [...(state.rules.get(netns)?.[family] ?? [])].flatMap(([table, chains]) =>
    table.includes(':')
      ? []
      : [
          {
            table,
            chains: [...chains].map(([name, { policy = '-' }]) => ({ name, policy, packets: 0, bytes: 0 })),
            rules: [...chains].flatMap(([chain, { rules }]) => rules.map(({ spec }) => ({ chain, spec }))),
          },
        ],
  )
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

function findService(services: readonly Service[], written: string): Service {
  const wanted = written.includes('/') ? written : `default/${written}`
  const found = services.find((service) => namespacedName(service) === wanted)
  if (found !== undefined) return found
  const names = services.map(namespacedName)
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
