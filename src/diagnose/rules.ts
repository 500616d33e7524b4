import { namespacedName } from '../cluster/namespacedName.js'
import type { Service } from '../cluster/types.js'
import { InputError } from '../errors.js'
import type { Difference } from '../netfilter/difference.js'
import type { SavedTable } from '../netfilter/save.js'
import type { IpFamily } from '../net/ipFamily.js'
import type { ModeName } from '../agents/kubeProxy/config.js'
import type { ProxyInput } from '../agents/kubeProxy/input.js'
import type { ExplainedRuleset } from '../agents/kubeProxy/iptables/explained/types.js'
import type { MinorVersion } from '../agents/kubeProxy/versions/version.js'
import type { ProxyMode } from '../agents/kubeProxy/mode.js'
import { whyWithoutRules } from '../agents/kubeProxy/withoutRules.js'
import { proxiedNodes } from '../snapshot/fromPlan/plannedState.js'
import type { ProxiedNode } from '../agents/agent.js'
import type { Snapshot } from '../snapshot/model/snapshot.js'
import type { Language } from '../text/language.js'
import { didYouMean } from '../text/nearestName.js'
import { differenceForms, type DifferenceForms } from './differenceForms.js'
import { rulesOnNode, type NodeRules } from './nodeRules.js'

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
export function rulesInSnapshot(
  snapshot: Snapshot,
  question: RulesQuestion,
): RulesOfNode & { readonly unknown: readonly string[] } {
  const { node, language } = question
  const { input, mode, netns } = nodeIn(snapshot, node)
  const unknown = new Set<string>()
  const families = familiesOf(snapshot, netns, mode, question.family).map((family) => {
    const read = rulesOnNode(snapshot, { name: node, netns }, family)
    const whole = mode.explain(input, family, read.found, language)
    const chains = knownChains(whole, read)
    for (const what of read.unknown.values()) unknown.add(what)
    return chosenRules(chains, input, question, family)
  })
  const { name } = mode
  return {
    lab: snapshot.model.lab.name,
    node,
    mode: name,
    backend: 'snapshot',
    families,
    unknown: [...unknown],
  }
}

/** How the rules of a node differ from what its kube-proxy should have written. */
export interface NodeComparison {
  readonly mode: ModeName
  readonly version: MinorVersion
  readonly families: readonly ComparedFamily[]
  /** What was not compared: it is not known. */
  readonly unknown: readonly string[]
}

/** How the rules of one family differ. */
export interface ComparedFamily {
  readonly family: IpFamily
  readonly differences: readonly Difference[]
  /** Policies of built-in chains that drop, which kube-proxy does not write: `filter FORWARD`. */
  readonly dropping: readonly string[]
  /** What the differences show of the version; slow, because it makes the rules of all versions. */
  readonly forms: () => Partial<DifferenceForms>
}

/** How the rules of a node in a snapshot differ from what its kube-proxy should have written. Throws InputError. */
export function compareInSnapshot(snapshot: Snapshot, node: string, family?: IpFamily): NodeComparison {
  const { input, mode, netns } = nodeIn(snapshot, node)
  const unknown = new Set<string>()
  const families = familiesOf(snapshot, netns, mode, family).map((one) => {
    const read = rulesOnNode(snapshot, { name: node, netns }, one)
    const all = mode.compare(input, one, read.found)
    for (const what of read.unknown.values()) unknown.add(what)
    const differences = all.filter(({ table }) => !read.unknown.has(table))
    const forms = () =>
      differences.length === 0 ? {} : differenceForms(differences, { mode, input }, read.found, one)
    return { family: one, differences, dropping: droppingChains(read.found.tables), forms }
  })
  return { mode: mode.name, version: input.config.version, families, unknown: [...unknown] }
}

/** Without the chains of parts that are not known. */
function knownChains(ruleset: ExplainedRuleset, { unknown }: NodeRules): ExplainedRuleset {
  const known = <Chain extends { readonly table: string }>(chains: readonly Chain[]) =>
    chains.filter(({ table }) => !unknown.has(table))
  return {
    ...ruleset,
    first: known(ruleset.first),
    last: known(ruleset.last),
    others: known(ruleset.others),
    services: ruleset.services.map((service) => ({
      ...service,
      ports: service.ports.map((port) => ({ ...port, chains: known(port.chains) })),
    })),
  }
}

function droppingChains(tables: readonly SavedTable[]): string[] {
  return tables.flatMap(({ table, chains }) =>
    chains.flatMap(({ name, policy }) => (policy === 'DROP' ? [`${table} ${name}`] : [])),
  )
}

/** A node with its kube-proxy, if its rules are known. Throws InputError. */
function nodeIn(
  { model, rulesRead, notices }: Snapshot,
  node: string,
): ProxiedNode & { readonly netns: string } {
  const proxied = proxiedNodes(model).get(node)
  const { nodes } = model.topology
  const names = nodes.map(({ name }) => name)
  const fail = (message: string, hint?: string) => new InputError([{ message, hint }])
  const found = nodes.find(({ name }) => name === node)
  if (found === undefined)
    throw fail(
      `the snapshot has no node "${node}"`,
      didYouMean(node, names) ?? `its nodes are ${names.join(', ')}`,
    )
  if (rulesRead?.has(node) === false)
    throw new InputError([
      {
        message: `the rules of ${node} are not attached, or could not be read`,
        hint:
          rulesRead.size === 0
            ? 'attach the output of iptables-save -c, or of nft list ruleset'
            : `those of ${[...rulesRead].join(', ')} are`,
      },
      // lines that could not be read
      ...notices.filter((text) => /:\d+: /.test(text)).map((message) => ({ message })),
    ])
  if (proxied === undefined) throw fail('the nodes of this snapshot run no kube-proxy')
  if (proxied.mode.relaysConnections)
    throw fail(
      `the rules of mode ${proxied.mode.name} are compared on a running lab only: they have the ports of its process`,
      `vethlab rules ${model.lab.name} ${node}`,
    )
  return { ...proxied, netns: found.netns }
}

/** The families of a node whose rules are known; of those of the cluster one, if it is given. Throws InputError. */
function familiesOf(
  { basis, model, state }: Snapshot,
  netns: string,
  { name, ownTable }: ProxyMode,
  family: IpFamily | undefined,
): readonly IpFamily[] {
  const { families } = model.topology
  if (family !== undefined && !families.includes(family))
    throw new InputError([
      { message: `the snapshot has no ${family}`, hint: `it has ${families.join(', ')}` },
    ])
  const isRead = (one: IpFamily) =>
    basis !== 'attached' ||
    (ownTable === undefined ? state.rules.get(netns)?.[one] !== undefined : state.nft.has(netns))
  const read = (family === undefined ? families : [family]).filter(isRead)
  if (read.length > 0) return read
  throw new InputError([
    {
      message: `the rules of mode ${name} are not attached${family === undefined ? '' : ` for ${family}`}`,
      hint: `attach the output of ${ownTable === undefined ? 'iptables-save -c and ip6tables-save -c' : 'nft list ruleset'}`,
    },
  ])
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
