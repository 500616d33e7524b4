import type {
  ExplainedChain,
  ExplainedPort,
  ExplainedRule,
  ExplainedRuleset,
  ExplainedService,
} from '../proxy/iptables/explained/types.js'
import type { Colours } from '../text/colour.js'
import type { PodView, ServiceView } from '../results/events.js'
import { printable } from '../text/printable.js'
import { prettyRule } from './prettyRule.js'
import { textWidth } from '../text/textWidth.js'

/** Options of the text about a node's rules. */
export interface RulesOptions {
  readonly colours: Colours
  /** Columns of the terminal. */
  readonly width: number
  readonly podAt: (address: string) => PodView | undefined
  readonly serviceOf: (namespace: string, name: string) => ServiceView | undefined
  /** Services that kube-proxy writes no rules for, and why. */
  readonly withoutRules: readonly {
    readonly namespace: string
    readonly name: string
    readonly why: string
  }[]
}

/** A node's rules as text: by Service, in the order in which they are evaluated, each with its count and reason. */
export function prettyRules(ruleset: ExplainedRuleset, options: RulesOptions): string {
  const { first, services, last, others } = ruleset
  const section = (title: string, chains: readonly ExplainedChain[]) =>
    chains.length === 0
      ? []
      : [heading(title, options), ...chains.flatMap((chain) => chainLines(chain, options))]
  const lines = [
    ...section('All packets, before the Service rules', first),
    ...services.flatMap((service) => serviceLines(service, options)),
    ...linesWithoutRules(options),
    ...section('All packets, after the Service rules', last),
    ...section('Other rules: from a CNI plugin, or added by hand', others),
  ]
  return [...lines, ...summary(ruleset, options), ''].join('\n')
}

function serviceLines(service: ExplainedService, options: RulesOptions): string[] {
  const { colours, serviceOf } = options
  const view = serviceOf(service.namespace, service.name)
  const title = `Service ${service.namespace}/${service.name}`
  const lines = [
    heading(title, options),
    `  ${colours.dim(view ? factsOf(view) : 'no Service has this name')}`,
  ]
  for (const port of service.ports) {
    if (service.ports.length > 1) lines.push(`  ${colours.bold(portTitle(port))}`)
    lines.push(...port.chains.flatMap((chain) => chainLines(chain, options)))
  }
  return lines
}

function linesWithoutRules(options: RulesOptions): string[] {
  return options.withoutRules.flatMap(({ namespace, name, why }) => [
    heading(`Service ${namespace}/${name}`, options),
    options.colours.dim(`  no rules: ${printable(why)}`),
  ])
}

/** `NodePort 10.96.0.1, port http 80/TCP, nodePort 30080, 2 endpoints` */
function factsOf({ type, clusterIPs, externalIPs, ports, endpoints }: ServiceView): string {
  const parts = [
    [type, ...clusterIPs].join(' '),
    ...externalIPs.map((address) => `external ${address}`),
    ...ports.map(({ name, port, protocol, nodePort }) => {
      const words = ['port', ...(name === undefined || name === '' ? [] : [name]), `${port}/${protocol}`]
      return [...words, ...(nodePort === undefined ? [] : [`nodePort ${nodePort}`])].join(' ')
    }),
    endpoints.length === 1 ? '1 endpoint' : `${endpoints.length} endpoints`,
  ]
  return printable(parts.join(', '))
}

function portTitle({ name, port }: ExplainedPort): string {
  const portName = name.split(':')[1] ?? ''
  return ['port', ...(portName === '' ? [] : [portName]), port ?? '(no such port)'].join(' ')
}

function chainLines(
  { table, chain, about, endpoint, rules }: ExplainedChain,
  options: RulesOptions,
): string[] {
  const { colours, podAt, width } = options
  const address = endpoint?.replace(/^\[?(.*?)\]?:\d+$/, '$1')
  const pod = address === undefined ? undefined : podAt(address)
  const more = pod === undefined ? (endpoint ?? about) : `${pod.name} on ${pod.node}`
  const title = `  ${table} ${colours.bold(printable(chain))}`
  const space = width - textWidth(title) - 3
  const note = textWidth(more) > space ? [] : [colours.dim(printable(more))]
  return [[title, ...note].join('  '), ...rules.flatMap((rule) => prettyRule(rule, width, colours))]
}

/** A line across the terminal with a title in it. */
function heading(title: string, { colours, width }: RulesOptions): string {
  const text = `── ${printable(title)} `
  return `\n${colours.bold(text + '─'.repeat(Math.max(2, Math.min(width, 100) - textWidth(text))))}`
}

function summary(ruleset: ExplainedRuleset, { colours }: RulesOptions): string[] {
  const rules = rulesOf(ruleset)
  if (rules.length === 0) return []
  const tally = (state: ExplainedRule['state']) => rules.filter((rule) => rule.state === state).length
  const [same, different, missing, extra] = [
    tally('stands'),
    tally('different'),
    tally('missing'),
    tally('extra'),
  ]
  const what = contentsOf(ruleset)
  const all = `${same} of ${same + different + missing} ${what} are as kube-proxy writes them`
  const parts = [
    ...(different > 0 ? [`${different} ${different === 1 ? 'differs' : 'differ'}`] : []),
    ...(missing > 0 ? [`${missing} ${missing === 1 ? 'is' : 'are'} missing`] : []),
    ...(extra > 0 ? [`${extra} not written by kube-proxy`] : []),
  ]
  const text = [all, ...parts].join(', ')
  return ['', parts.length === 0 ? colours.good(text) : colours.bad(text)]
}

function rulesOf(ruleset: ExplainedRuleset): readonly ExplainedRule[] {
  return chainsOf(ruleset).flatMap(({ rules }) => rules)
}

/** Mode nftables also has elements of sets and maps, mode ipvs servers, entries and addresses. */
function contentsOf(ruleset: ExplainedRuleset): string {
  const tables = new Set(chainsOf(ruleset).map(({ table }) => table))
  if (tables.has('ipvs')) return 'rules, servers, entries and addresses'
  return tables.has('set') || tables.has('map') ? 'rules and elements' : 'rules'
}

function chainsOf({ first, services, last }: ExplainedRuleset): readonly ExplainedChain[] {
  return [...first, ...services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)), ...last]
}
