import type {
  ExplainedChain,
  ExplainedPort,
  ExplainedRule,
  ExplainedRuleset,
  ExplainedService,
} from '../agents/kubeProxy/iptables/explained/types.js'
import type { Colours } from '../text/colour.js'
import type { PodView, ServiceView } from '../results/events.js'
import type { Language } from '../text/language.js'
import { printable } from '../text/printable.js'
import { prettyRule } from './prettyRule.js'
import { rulesTexts, type RulesTexts } from './rulesTexts.js'
import { textWidth } from '../text/textWidth.js'

/** Options of the text about a node's rules. */
export interface RulesOptions {
  readonly language: Language
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
  const texts = rulesTexts[options.language]
  const section = (title: string, chains: readonly ExplainedChain[], isNamed = false) =>
    chains.length === 0
      ? []
      : [heading(title, options), ...chains.flatMap((chain) => chainLines(chain, options, isNamed))]
  const lines = [
    ...section(texts.first, first),
    ...services.flatMap((service) => serviceLines(service, options)),
    ...linesWithoutRules(options),
    ...section(texts.last, last),
    ...section(texts.others, others, true),
  ]
  return [...lines, ...summary(ruleset, options), ''].join('\n')
}

function serviceLines(service: ExplainedService, options: RulesOptions): string[] {
  const { colours, serviceOf, language } = options
  const texts = rulesTexts[language]
  const view = serviceOf(service.namespace, service.name)
  const title = texts.service(`${service.namespace}/${service.name}`)
  const lines = [
    heading(title, options),
    `  ${colours.dim(view ? factsOf(view, texts) : texts.noSuchService)}`,
  ]
  for (const port of service.ports) {
    if (service.ports.length > 1) lines.push(`  ${colours.bold(portTitle(port, texts))}`)
    lines.push(...port.chains.flatMap((chain) => chainLines(chain, options)))
  }
  return lines
}

function linesWithoutRules(options: RulesOptions): string[] {
  const texts = rulesTexts[options.language]
  return options.withoutRules.flatMap(({ namespace, name, why }) => [
    heading(texts.service(`${namespace}/${name}`), options),
    options.colours.dim(`  ${texts.noRules(printable(why))}`),
  ])
}

/** `NodePort 10.96.0.1, port http 80/TCP, nodePort 30080, 2 endpoints` */
function factsOf(
  { type, clusterIPs, externalIPs, ports, endpoints }: ServiceView,
  texts: RulesTexts,
): string {
  const parts = [
    [type, ...clusterIPs].join(' '),
    ...externalIPs.map(texts.external),
    ...ports.map(({ name, port, protocol, nodePort }) => {
      const words = [...(name === undefined || name === '' ? [] : [name]), `${port}/${protocol}`]
      return texts.port([...words, ...(nodePort === undefined ? [] : [`nodePort ${nodePort}`])].join(' '))
    }),
    texts.endpoints(endpoints.length),
  ]
  return printable(parts.join(', '))
}

function portTitle({ name, port }: ExplainedPort, texts: RulesTexts): string {
  const portName = name.split(':')[1] ?? ''
  return texts.port([...(portName === '' ? [] : [portName]), port ?? texts.noSuchPort].join(' '))
}

function chainLines(
  { table, chain, about, endpoint, rules }: ExplainedChain,
  options: RulesOptions,
  isNamed = false,
): string[] {
  const { colours, podAt, width, language } = options
  const texts = rulesTexts[language]
  const address = endpoint?.replace(/^\[?(.*?)\]?:\d+$/, '$1')
  const pod = address === undefined ? undefined : podAt(address)
  const more = pod === undefined ? (endpoint ?? about) : texts.podOn(pod.name, pod.node)
  const title = `  ${table} ${colours.bold(printable(chain))}`
  const space = width - textWidth(title) - 3
  const note = textWidth(more) > space ? [] : [colours.dim(printable(more))]
  return [
    [title, ...note].join('  '),
    ...rules.flatMap((rule) => prettyRule(rule, width, colours, texts, isNamed)),
  ]
}

/** A line across the terminal with a title in it. */
function heading(title: string, { colours, width }: RulesOptions): string {
  const text = `── ${printable(title)} `
  return `\n${colours.bold(text + '─'.repeat(Math.max(2, Math.min(width, 100) - textWidth(text))))}`
}

function summary(ruleset: ExplainedRuleset, { colours, language }: RulesOptions): string[] {
  const rules = rulesOf(ruleset)
  if (rules.length === 0) return []
  const tally = (state: ExplainedRule['state']) => rules.filter((rule) => rule.state === state).length
  const texts = rulesTexts[language]
  const [same, different, missing, extra] = [
    tally('expected'),
    tally('different'),
    tally('missing'),
    tally('extra'),
  ]
  const all = texts.areSame(same, same + different + missing, texts.contents[contentsOf(ruleset)])
  const parts = [
    ...(different > 0 ? [texts.differ(different)] : []),
    ...(missing > 0 ? [texts.areMissing(missing)] : []),
    ...(extra > 0 ? [texts.notWritten(extra)] : []),
  ]
  const text = [all, ...parts].join(', ')
  return ['', parts.length === 0 ? colours.good(text) : colours.bad(text)]
}

function rulesOf(ruleset: ExplainedRuleset): readonly ExplainedRule[] {
  return chainsOf(ruleset).flatMap(({ rules }) => rules)
}

function contentsOf(ruleset: ExplainedRuleset): keyof RulesTexts['contents'] {
  const tables = new Set(chainsOf(ruleset).map(({ table }) => table))
  if (tables.has('ipvs')) return 'servers'
  return tables.has('set') || tables.has('map') ? 'elements' : 'rules'
}

function chainsOf({ first, services, last }: ExplainedRuleset): readonly ExplainedChain[] {
  return [...first, ...services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)), ...last]
}
