import { isBuiltIn } from '../../netfilter/chainOwners.js'
import { fieldName } from '../../agents/meaning.js'
import { pad, wrap } from '../../text/textWidth.js'
import { natColour } from './natColour.js'
import { tracedSocketText, tupleText, type TracedSocket } from '../../snapshot/model/packet.js'
import { isNative } from '../../snapshot/model/nft.js'
import type { Hop, RuleStep, Step } from '../model/steps.js'
import { balanceLines, noteLines } from './balanceText.js'
import { inLanguage } from './inLanguage.js'
import type { PredictionTextOptions } from './options.js'
import { chainColumn, conditionsText, randomTarget, shortChain } from './ruleText.js'
import { traceTexts, type TraceTexts } from './texts.js'

/** A host that the request passes: its rules, routes and rewrites, in the order in which they happen. */
export function hopLines(
  hop: Hop,
  options: PredictionTextOptions,
  /** The hops before it. */
  earlier: readonly Hop[] = [],
): string[] {
  const { colours } = options
  const texts = traceTexts[options.language]
  const on = hop.in === undefined ? '' : `  in ${hop.in}`
  const tunnel = hop.packet === 'tunnel' ? `  ${texts.tunnel}` : ''
  const heads = [
    `━ ${colours.name(hop.place)}${on}${tunnel}`,
    colours.bold(tupleText(hop.before)),
    ...markNote(hop, earlier, texts).map(colours.dim),
  ]
  const lines = wrap(heads, options.width, '  ', '  ')
  let heading = ''
  for (const step of shownSteps(hop, options)) {
    const next = headingOf(step)
    if (next !== undefined && next !== heading) {
      lines.push(` ${next}`)
      heading = next
    }
    if (step.kind === 'route') heading = ''
    lines.push(...stepLines(step, options, isAnswer(hop)))
  }
  return lines
}

/** The steps of a host that are printed. */
export function shownSteps(hop: Hop, options: Pick<PredictionTextOptions, 'all'>): readonly Step[] {
  const services = servicesOf(hop)
  return hop.steps.filter((step, index) => isShown(step, index, hop, options, services))
}

const marks = (hops: readonly Hop[]) =>
  hops.some(({ steps }) => steps.some((step) => step.kind === 'rule' && /^mark 0x/.test(step.effect ?? '')))

/** Where a packet arrives whose mark an earlier host has set. */
function markNote(hop: Hop, earlier: readonly Hop[], { markStays }: TraceTexts): string[] {
  const meetsRules = hop.steps.some(({ kind }) => kind === 'rule')
  if (!meetsRules || hop.packet === 'tunnel' || !marks(earlier) || marks([hop])) return []
  return hop.mark === 0 ? [`mark 0x0 ${markStays}`] : []
}

/** The ports of Services whose rules apply. */
function servicesOf({ steps }: Hop): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) =>
      step.kind === 'rule' && step.holds === 'yes' && step.object !== undefined
        ? [fieldName(step.object)]
        : [],
    ),
  )
}

function isShown(
  step: Step,
  index: number,
  { steps }: Hop,
  { all }: Pick<PredictionTextOptions, 'all'>,
  services: ReadonlySet<string>,
): boolean {
  if (all) return true
  switch (step.kind) {
    case 'conntrack':
      return steps.slice(index + 1).some(({ kind }) => kind === 'rule' || kind === 'nat')
    case 'rule':
      if (step.holds === 'unknown') return true
      if (entersKubeProxy(step)) return false
      if (step.holds === 'yes') return true
      return (
        step.condition?.startsWith('random') === true ||
        step.because?.startsWith('unknown') === true ||
        isEndpointRule(step) ||
        services.has(step.object === undefined ? '' : fieldName(step.object))
      )
    // the rule shows it
    case 'nat':
      return step.by === 'connection'
    default:
      return true
  }
}

/** A jump from a chain of the kernel, or of kube-proxy’s own table at a hook, to kube-proxy’s chains. */
function entersKubeProxy({ table, chain, effect = '', spec }: RuleStep): boolean {
  if (isNative(table))
    return / kube-proxy$/.test(table) && /^(?:nat|filter)-/.test(chain) && /\bjump /.test(spec)
  return isBuiltIn(chain) && effect.startsWith('KUBE-')
}

/** Rules of an endpoint's chain are few, and show that a packet is no hairpin. */
function isEndpointRule({ chain }: RuleStep): boolean {
  return /^(KUBE-(SEP|FW|EXT)-|(endpoint|firewall|external)-[A-Z2-7]{8}-)/.test(chain)
}

function headingOf(step: Step): string | undefined {
  if (step.kind === 'balance') return `${step.hook.toUpperCase()} ipvs`
  if (step.kind === 'rule' || step.kind === 'policy') return `${step.hook.toUpperCase()} ${step.table}`
  return undefined
}

/** Whether connection tracking reverses what the request had rewritten. */
function isAnswer({ packet }: Hop): boolean {
  return packet === 'answer' || packet === 'reset'
}

/** One step of a packet on a host. */
export function stepLines(step: Step, options: PredictionTextOptions, isAnswer = false): string[] {
  const { colours, language, nameOf } = options
  const texts = traceTexts[language]
  const named = (socket: TracedSocket) => {
    const name = nameOf(socket.address)
    return `${tracedSocketText(socket)}${name === undefined ? '' : ` (${name})`}`
  }
  switch (step.kind) {
    case 'rule':
      return ruleLines(step, options)
    case 'policy':
      return [`   ${pad(step.chain, chainColumn)} policy ${step.policy}`]
    case 'conntrack':
      return [
        ` CONNTRACK ${step.state}${step.state === 'NEW' ? `: ${texts.oncePerConnection}` : ''}`,
        ...(step.entry === undefined
          ? []
          : [`   ${texts.earlierPacket(tupleText(step.entry.original), tupleText(step.entry.reply))}`]),
      ]
    case 'nat': {
      const paint = colours[natColour(step.side, isAnswer)]
      const why = step.why === undefined ? ` ${texts.byConnection}` : `: ${inLanguage(step.why, language)}`
      const by = step.by === 'connection' ? why : ''
      const text =
        paint(`${inLanguage(step.side, language)} ${tracedSocketText(step.from)} ⇒ ${named(step.to)}`) + by
      const margin = ' '.repeat(chainColumn + 4)
      return wrap(text.split(' '), options.width - margin.length).map((line) => margin + line)
    }
    case 'balance':
      return balanceLines(step, options)
    case 'entry':
      return wrap(
        [` CONNTRACK + ${tupleText(step.original)},`, texts.reply(tupleText(step.reply))],
        options.width,
        ' ',
        ' '.repeat(' CONNTRACK + '.length),
      )
    case 'route': {
      const { withoutDnat } = step
      const other =
        withoutDnat === undefined ? [] : [colours.dim(texts.withoutDnat(inLanguage(withoutDnat, language)))]
      return wrap([` ROUTE ${step.to}: ${step.route}`, ...other], options.width, '  ', '   ')
    }
    case 'link':
      return [` LINK ${inLanguage(step.text, language)}`]
  }
}

function ruleLines(step: RuleStep, options: PredictionTextOptions): string[] {
  const { colours, all, width } = options
  const { chain, number, holds, condition, effect, why, object } = step
  const start = `   ${pad(`${all ? chain : shortChain(chain)} ${number}`, chainColumn)} `
  const hang = ' '.repeat(start.length)
  const mark = { yes: colours.good('✔'), no: colours.dim('✗'), unknown: colours.bold('?') }[holds]
  const isRandom = condition?.startsWith('random') === true
  const what = isRandom || holds !== 'yes' ? condition : conditionsText(step)
  const next = effect ?? (isRandom ? randomTarget(step) : undefined)
  const then = next === undefined ? '' : `→ ${effectText(next, options)}`
  const reason = reasonText(step, options)
  const words = [what ?? '', then, reason]
    .filter((part) => part !== '')
    .join(' ')
    .split(/ +/)
  const lines = wrap(words, width - start.length - 2).map((line, index) =>
    index === 0 ? `${start}${mark} ${holds === 'no' ? colours.dim(line) : line}` : `${hang}  ${line}`,
  )
  if (holds !== 'yes' || why === undefined || (isBuiltIn(chain) && !all)) return lines
  return [...lines, ...noteLines(why, object, hang, options)]
}

/** What decided, in parentheses; the rule of an endpoint's chain for its own packets names the hairpin. */
function reasonText(
  { because, holds, condition = '', chain }: RuleStep,
  { language }: PredictionTextOptions,
): string {
  if (because === undefined) return ''
  const isOwn = holds === 'no' && /^-s /.test(condition) && /^KUBE-SEP-/.test(chain)
  return `(${inLanguage(because, language)}${isOwn ? `, ${traceTexts[language].notTheEndpoint}` : ''})`
}

/** A chain, a verdict, or a rewritten address with the name of its owner. */
function effectText(effect: string, { all, nameOf, colours }: PredictionTextOptions): string {
  const [, address] = / ⇒ \[?([0-9a-f.]+|[0-9a-f:]+)\]?(?::[\d*]+)?$/.exec(effect) ?? []
  const name = address === undefined ? undefined : nameOf(address)
  const text = all ? effect : shortChain(effect)
  const paint = / dst ⇒ /.test(effect)
    ? colours.dnat
    : / src ⇒ /.test(effect)
      ? colours.snat
      : (plain: string) => plain
  return name === undefined ? text : `${text} (${name})`.split(' ').map(paint).join(' ')
}
