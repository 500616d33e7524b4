import type { ObjectField } from '../../agents/meaning.js'
import type { Colours } from '../../text/colour.js'
import { wrap } from '../../text/textWidth.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import type { Path } from '../../trace/model/steps.js'
import { probabilityText } from '../../trace/rules/chance.js'
import { endLine } from '../../trace/text/predictionText.js'
import type { Cause, CheckedChange, Finding, Why } from './types.js'

/** How the answer of `why` is printed. */
export interface WhyTextOptions {
  readonly colours: Colours
  /** Columns. */
  readonly width: number
}

/** A reason in a few lines: the end, the rule with its owner, the object behind it, and changes that were checked. */
export function whyText(why: Why, options: WhyTextOptions): string {
  const { colours } = options
  const title = {
    passes: colours.good('✔ passes'),
    fails: colours.bad('✗ fails'),
    sometimes: colours.bad(`✗ passes for ${shareText(why.share)} of the connections`),
    small: colours.bad('✗ passes as long as its packets are small'),
    unknown: colours.bold('? whether it passes is not known'),
  }[why.outcome]
  const lines = [
    title,
    ...(why.outcome === 'passes' ? passed(why.answered) : []),
    ...why.findings.flatMap((one) => findingLines(one, why, options)),
    ...(why.complete ? [] : ['there are more paths than these']),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function shareText(share: number | undefined): string {
  return share === undefined ? 'some' : probabilityText(share)
}

/** The receivers and the rewrites, one line per path. */
function passed(answered: readonly Path[]): string[] {
  const listed = answered.slice(0, 8)
  const more = answered.length - listed.length
  return [...listed.flatMap(pathLines), ...(more > 0 ? [`  … and ${more} more`] : [])]
}

function pathLines({ probability, receiver, hops }: Path): string[] {
  const rewrites = hops
    .filter(({ packet }) => packet === 'request')
    .flatMap(({ place, steps }) =>
      steps.flatMap((step) =>
        ((step.kind === 'nat' && (step.by === 'rule' || step.why !== undefined)) ||
          step.kind === 'balance') &&
        step.to !== undefined
          ? [`${place}: ${step.side} ⇒ ${tracedSocketText(step.to)}`]
          : [],
      ),
    )
  const to = receiver === undefined ? '' : `${receiver.name} (${tracedSocketText(receiver.socket)})`
  const share = probability > 1 - 1e-6 ? '' : `${probabilityText(probability)}  `
  return [`  ${share}${to}`, ...rewrites.map((text) => `    ${text}`)]
}

function findingLines(finding: Finding, why: Why, options: WhyTextOptions): string[] {
  const { colours } = options
  const { end, share, assumptions, rule, causes, changes } = finding
  const isSplit = why.findings.length > 1 && share !== undefined
  const line = (label: string, text: string) => labelled(label, text, options)
  return [
    ...wrap(`${isSplit ? `${shareText(share)}  ` : ''}${endLine(end, options)}`.split(' '), options.width),
    ...assumptions.map(({ question, taken }) => `  if ${question} ${taken}`),
    ...(rule === undefined
      ? []
      : line(
          'rule',
          `${rule.place} ${rule.table} ${rule.chain}${rule.number === undefined ? '' : ` ${rule.number}`}: ${rule.spec}`,
        )),
    ...(rule === undefined
      ? []
      : line('owner', `${rule.owner ?? 'another program'}${rule.why === undefined ? '' : `: ${rule.why}`}`)),
    ...causes.flatMap((cause) => causeLines(cause, options)),
    ...line('explain', `vethlab explain ${finding.code}`),
    ...(changes.length === 0
      ? line('fix', colours.dim('no single change that was tried lets it pass'))
      : changes.slice(0, 3).flatMap((change) => changeLines(change, options))),
  ]
}

function causeLines({ says, object }: Cause, options: WhyTextOptions): string[] {
  return [
    ...labelled('because', says, options),
    ...(object === undefined ? [] : labelled('object', objectText(object), options)),
  ]
}

/** `Service default/shop spec.selector` */
function objectText({ kind, namespace, name, field }: ObjectField): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${field === undefined ? '' : ` ${field}`}`
}

function changeLines({ proposal, share }: CheckedChange, options: WhyTextOptions): string[] {
  const { colours } = options
  const { says, command } = proposal
  const where = proposal.kind === 'object' ? `${objectText({ ...proposal.object, field: undefined })}: ` : ''
  const result =
    share > 1 - 1e-9 ? colours.good('✔ predicted to pass') : `predicted to pass for ${shareText(share)}`
  return [
    ...labelled('fix', `${where}${says}`, options, result),
    // commands are copied: they are not wrapped
    ...(command === undefined ? [] : [`           ${colours.dim(command)}`]),
  ]
}

function labelled(
  label: string,
  text: string,
  { colours, width }: WhyTextOptions,
  /** Printed after it, in one piece. */
  result?: string,
): string[] {
  const hang = 11
  const last = result === undefined ? [] : [` ${result}`]
  return wrap([...text.split(' '), ...last], width - hang).map(
    (line, index) => `  ${index === 0 ? colours.bold(label.padEnd(9)) : ' '.repeat(9)}${line.trimStart()}`,
  )
}
