import { pad, wrap } from '../../text/textWidth.js'
import { tracedSocketText, tupleText, type TracedSocket } from '../model/packet.js'
import { isNative } from '../model/nft.js'
import type { Hop, RuleStep, Step } from '../model/steps.js'
import type { PredictionTextOptions } from './options.js'
import { conditionsText, shortChain } from './ruleText.js'

const chainColumn = 20

/** A host that the request passes: its rules, routes and rewrites, in the order in which they happen. */
export function hopLines(hop: Hop, options: PredictionTextOptions): string[] {
  const { colours } = options
  const on = hop.in === undefined ? '' : `  in ${hop.in}`
  const tunnel = hop.packet === 'tunnel' ? '  (tunnel)' : ''
  const heads = [`━ ${colours.name(hop.place)}${on}${tunnel}`, colours.bold(tupleText(hop.before))]
  const lines = wrap(heads, options.width, '  ', '  ')
  let heading = ''
  const shown = hop.steps.filter((step, index) => isShown(step, index, hop, options))
  for (const step of shown) {
    const next = headingOf(step)
    if (next !== undefined && next !== heading) {
      lines.push(` ${next}`)
      heading = next
    }
    if (step.kind === 'route') heading = ''
    lines.push(...stepLines(step, options))
  }
  return lines
}

/** The hosts that the answer passes, one line each; with `all`, their rules too. */
export function answerLines(hops: readonly Hop[], options: PredictionTextOptions): string[] {
  const { colours, all, width: columns } = options
  const name = hops[0]?.packet === 'reset' ? 'reset' : 'answer'
  const width = Math.max(...hops.map(({ place }) => place.length)) + 2
  const lines = hops.flatMap((hop) => {
    const rewritten = hop.steps.flatMap((step) =>
      step.kind === 'nat' ? [`${step.side === 'source' ? 'src' : 'dst'} ⇒ ${tracedSocketText(step.to)}`] : [],
    )
    const parts = [tupleText(hop.before), ...rewritten, ...(hop.packet === 'tunnel' ? ['(tunnel)'] : [])]
    const lines = wrap(parts, columns - width - 1, '  ').map(
      (line, index) => ` ${colours.name(pad(index === 0 ? hop.place : '', width))}${line}`,
    )
    const rules = hop.steps.filter((step) => step.kind === 'rule' && (all || decides(step)))
    return [...lines, ...rules.flatMap((step) => stepLines(step, options))]
  })
  const nat = hops.some(({ steps }) => steps.some(({ kind }) => kind === 'nat'))
  const note = nat ? 'no rule of nat is evaluated: conntrack reverses the rewrites' : ''
  const [first = '', ...others] = wrap(note.split(' '), columns - name.length - 4)
  const margin = ' '.repeat(name.length + 4)
  return [
    `◀ ${name}  ${colours.dim(first)}`.trimEnd(),
    ...others.map((line) => margin + colours.dim(line)),
    ...lines,
  ]
}

/** Chains of the kernel, from which programs jump to their own. */
const builtIn = new Set(['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING'])

function isShown(step: Step, index: number, { steps }: Hop, { all }: PredictionTextOptions): boolean {
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
        isEndpointRule(step)
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
  return builtIn.has(chain) && effect.startsWith('KUBE-')
}

/** Rules of an endpoint's chain are few, and show that a packet is no hairpin. */
function isEndpointRule({ chain }: RuleStep): boolean {
  return /^(KUBE-(SEP|FW|EXT)-|(endpoint|firewall|external)-[A-Z2-7]{8}-)/.test(chain)
}

function decides({ holds, effect = '' }: RuleStep): boolean {
  return holds === 'yes' && /^(drop|reject)/i.test(effect)
}

function headingOf(step: Step): string | undefined {
  if (step.kind === 'rule' || step.kind === 'policy') return `${step.hook.toUpperCase()} ${step.table}`
  return undefined
}

function stepLines(step: Step, options: PredictionTextOptions): string[] {
  const { colours, nameOf } = options
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
        ` CONNTRACK ${step.state}${step.state === 'NEW' ? ': rules of nat are evaluated once per connection' : ''}`,
        ...(step.entry === undefined
          ? []
          : [
              `   an earlier packet made ${tupleText(step.entry.original)}, reply ${tupleText(step.entry.reply)}`,
            ]),
      ]
    case 'nat': {
      const paint = step.side === 'source' ? colours.snat : colours.dnat
      const by = step.by === 'connection' ? ' by the connection' : ''
      return [
        `   ${pad('', chainColumn)} ${paint(`${step.side} ${tracedSocketText(step.from)} ⇒ ${named(step.to)}`)}${by}`,
      ]
    }
    case 'entry':
      return wrap(
        [` CONNTRACK + ${tupleText(step.original)},`, `reply ${tupleText(step.reply)}`],
        options.width,
        ' ',
        ' '.repeat(' CONNTRACK + '.length),
      )
    case 'route':
      return [` ROUTE ${step.to}: ${step.route}`]
    case 'link':
      return [` LINK ${step.text}`]
  }
}

function ruleLines(step: RuleStep, options: PredictionTextOptions): string[] {
  const { colours, all, width } = options
  const { chain, number, holds, condition, because, effect, why, servicePort } = step
  const start = `   ${pad(`${all ? chain : shortChain(chain)} ${number}`, chainColumn)} `
  const hang = ' '.repeat(start.length)
  const mark = { yes: colours.good('✔'), no: colours.dim('✗'), unknown: colours.bold('?') }[holds]
  const isRandom = condition?.startsWith('random') === true
  const what = isRandom || holds !== 'yes' ? condition : conditionsText(step)
  const then = effect === undefined ? '' : `→ ${effectText(effect, options)}`
  const reason = because === undefined ? '' : `(${because})`
  const words = [what ?? '', then, reason]
    .filter((part) => part !== '')
    .join(' ')
    .split(' ')
  const lines = wrap(words, width - start.length - 2).map((line, index) =>
    index === 0 ? `${start}${mark} ${holds === 'no' ? colours.dim(line) : line}` : `${hang}  ${line}`,
  )
  if (holds !== 'yes' || why === undefined || (builtIn.has(chain) && !all)) return lines
  const note = [...(servicePort === undefined ? [] : [`Service ${servicePort},`]), why].join(' ')
  return [
    ...lines,
    ...wrap(note.split(' '), width - hang.length - 2).map((line) => `${hang}  ${colours.dim(line)}`),
  ]
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
