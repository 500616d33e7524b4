import { readVerdict } from '../../netfilter/nft/elements.js'
import type {
  NftElement,
  NftElements,
  NftExpression,
  NftOperand,
  NftStatement,
  NftVerdict,
} from '../../netfilter/nft/model.js'
import { nftTableName, type NftTable, type NftTracedRule } from '../../snapshot/model/nft.js'
import type { RuleStep } from '../model/steps.js'
import { takesRule, type Traversal, type Verdict } from '../rules/traverse.js'
import { unknown, type Answer } from '../rules/answer.js'
import { limited, opposite, withinConnections, withinQuota } from '../rules/limits.js'
import { drawComparison, drawElement, type Draw } from './draw.js'
import { assign, nat, verdictOf, type Effect } from './effects.js'
import { compareNft, lookUp } from './matches.js'
import { valueOf, type NftValue } from './values.js'

/** What a rule of nftables does with a packet. */
export interface Evaluated {
  readonly step: RuleStep
  /** Ends the table’s chains at this hook. */
  readonly end?: Verdict | undefined
  /** Continues in another chain, or ends this one. */
  readonly verdict?: NftVerdict | undefined
}

/** A rule while its statements are evaluated, from left to right. */
interface Evaluation {
  readonly table: NftTable
  readonly traversal: Traversal
  readonly draw: Draw
  step: RuleStep
  readonly effects: string[]
}

/** Evaluates a rule; where the state does not decide, the path takes one side. */
export function evaluateNftRule(
  table: NftTable,
  chain: string,
  number: number,
  traced: NftTracedRule,
  traversal: Traversal,
): Evaluated {
  const { spec, owner, why, object, statements } = traced
  const { hook, host } = traversal.seen()
  const name = nftTableName(table)
  const evaluation: Evaluation = {
    ...{ table, traversal, effects: [] },
    draw: { choices: traversal.choices, place: host.name, question: `${name} ${chain} ${number}` },
    step: { kind: 'rule', hook, table: name, chain, number, spec, owner, why, object, holds: 'yes' },
  }
  for (const [index, statement] of statements.entries()) {
    const done = evaluate(evaluation, statement, statements.slice(index + 1))
    if (done !== undefined) return { ...done, step: { ...evaluation.step, effect: effectOf(evaluation) } }
  }
  return { step: { ...evaluation.step, effect: effectOf(evaluation) } }
}

/** A statement that ends the rule: what follows from it. */
type Done = Omit<Evaluated, 'step'>

function evaluate(
  evaluation: Evaluation,
  statement: NftStatement,
  rest: readonly NftStatement[],
): Done | undefined {
  const { traversal, effects } = evaluation
  const seen = traversal.seen()
  switch (statement.kind) {
    case 'match':
    case 'limit':
    case 'quota':
    case 'connections':
    case 'unknown':
      return condition(evaluation, statement, rest)
    case 'vmap': {
      const element = mapped(evaluation, statement.key, statement.map, statement.text)
      if (element === 'stopped') return { end: { kind: 'opaque', rule: withEffect(evaluation) } }
      if (element === undefined) return {}
      const verdict = readVerdict(element.value ?? '')
      return verdict === undefined
        ? { end: { kind: 'opaque', rule: withEffect(evaluation) } }
        : ended(evaluation, verdict)
    }
    case 'verdict':
      return ended(evaluation, statement.verdict)
    case 'reject':
      if (
        statement.only !== undefined &&
        ![seen.packet.protocol, seen.packet.family].includes(statement.only)
      ) {
        const because = `the packet is ${seen.packet.protocol} of ${seen.packet.family}`
        evaluation.step = { ...evaluation.step, holds: 'no', condition: statement.text, because }
        return {}
      }
      effects.push(`reject (${statement.with})`)
      return { end: { kind: 'reject', rule: withEffect(evaluation), with: statement.with } }
    case 'assign': {
      // a packet of another family has no such field
      if (statement.target.kind === 'payload' && valueOf(statement.target, seen).kind === 'absent') return {}
      const { value } = statement
      if (value.kind !== 'map') return effect(evaluation, assign(statement, value, traversal))
      const element = mapped(evaluation, value.key, value.map, statement.text)
      if (element === 'stopped') return { end: { kind: 'opaque', rule: withEffect(evaluation) } }
      if (element === undefined) return {}
      const literal = { kind: 'literal', words: [element.value ?? notKnown] } as const
      return effect(evaluation, assign(statement, literal, traversal))
    }
    case 'nat': {
      const { to } = statement
      const element = to?.kind === 'map' ? mapped(evaluation, to.key, to.map, statement.text) : undefined
      if (element === 'stopped') return { end: { kind: 'opaque', rule: withEffect(evaluation) } }
      // a lookup that finds nothing ends the rule
      if (to?.kind === 'map' && element === undefined) return {}
      if (element?.value === notKnown) return { end: { kind: 'opaque', rule: withEffect(evaluation) } }
      return effect(evaluation, nat(statement, element?.value, traversal))
    }
    case 'change': {
      const own = valueOf(statement.key, seen)
      effects.push(`${statement.operation} @${statement.set}${own.kind === 'one' ? ` { ${own.text} }` : ''}`)
      return changeElement(evaluation, statement, own)
    }
    case 'notrack':
      traversal.untrack()
      effects.push('notrack')
      return undefined
    case 'passing':
      return undefined
  }
}

/** Changes a set; where the packet does not have what the set holds, the rule ends. */
function changeElement(
  { table, traversal }: Evaluation,
  { operation, set, value }: Extract<NftStatement, { readonly kind: 'change' }>,
  own: NftValue,
): Done | undefined {
  const parts = own.kind === 'parts' ? own.parts : [own]
  if (parts.some(({ kind }) => kind === 'absent')) return {}
  const key = parts.map(keyPart)
  const element = { key, text: key.join(' . '), ...(value !== undefined && { value: writtenValue(value) }) }
  traversal.seen().state?.changeElement(table, set, element, operation === 'delete' ? 'delete' : 'add')
  return undefined
}

/** A port that can be several is a range: the same connection finds it again. */
function keyPart(value: NftValue): string {
  if (value.kind === 'one') return value.text
  if (value.kind === 'range') return `${value.range.first}-${value.range.last}`
  return value.kind === 'flags' ? value.flags.join('|') : notKnown
}

/** A value that is not computed. */
const notKnown = '?'

/** What a map holds; only what is written out is known. */
function writtenValue(value: string): string {
  return readVerdict(value) !== undefined || /^[\da-f.:x]+$/.test(value) ? value : notKnown
}

function ended(evaluation: Evaluation, verdict: NftVerdict): Done {
  const { kind, chain } = verdict
  evaluation.effects.push(chain ?? kind)
  const rule = withEffect(evaluation)
  switch (kind) {
    case 'accept':
      return { end: { kind: 'accept' } }
    case 'drop':
      return { end: { kind: 'drop', rule, chain: rule.chain } }
    case 'queue':
      return { end: { kind: 'opaque', rule } }
    default:
      return { verdict }
  }
}

function effect(evaluation: Evaluation, made: Effect): Done | undefined {
  evaluation.effects.push(made.text)
  const end = verdictOf(made, withEffect(evaluation))
  return end === undefined ? undefined : { end }
}

type Condition = Extract<
  NftStatement,
  { readonly kind: 'match' | 'limit' | 'quota' | 'connections' | 'unknown' }
>

/** Undefined if the condition holds: the next statement is evaluated. */
function condition(
  evaluation: Evaluation,
  statement: Condition,
  rest: readonly NftStatement[],
): Done | undefined {
  const { draw } = evaluation
  const no = (because: string | undefined, text = statement.text): Done => {
    evaluation.step = { ...evaluation.step, holds: 'no', condition: text, because }
    return {}
  }
  if (statement.kind === 'match') {
    const value = valueOf(statement.left, evaluation.traversal.seen())
    if (value.kind === 'numgen') {
      const drawn = drawComparison(value, statement.operator, statement.right, draw)
      if (drawn !== undefined) {
        if (!drawn.taken) return no('not chosen', drawn.condition)
        evaluation.step = { ...evaluation.step, condition: drawn.condition, because: 'chosen' }
        return undefined
      }
    }
  }
  const answer = answerOf(evaluation, statement)
  answer.effect?.apply()
  if (answer.holds === 'yes') {
    const { because } = answer
    if (because !== undefined) evaluation.step = { ...evaluation.step, condition: statement.text, because }
    return undefined
  }
  if (answer.holds === 'no') return no(answer.because)
  // another condition may decide that the rule does not apply
  for (const other of rest) {
    if (other.kind !== 'match') break
    const decided = answerOf(evaluation, other)
    if (decided.holds === 'no') return no(decided.because, other.text)
  }
  const isIdle = rest.every(({ kind }) => kind === 'match' || kind === 'passing')
  if (isIdle && !changes(statement)) {
    evaluation.step = {
      ...evaluation.step,
      ...{ holds: 'unknown', condition: statement.text, because: answer.because },
    }
    return {}
  }
  if (!takesRule(draw.choices, draw.place, `${draw.question}: ${statement.text} (${answer.because})`))
    return no(`unknown: ${answer.because}`)
  const because = `unknown: ${answer.because}`
  evaluation.step = { ...evaluation.step, condition: statement.text, because }
  if (!changes(statement)) return undefined
  evaluation.effects.push(statement.text)
  return { end: { kind: 'opaque', rule: withEffect(evaluation) } }
}

/** Whether words that are not known possibly decide about the packet, or change it. */
function changes({ kind, text }: NftStatement): boolean {
  return (
    kind === 'unknown' && /\b(?:set|vmap|[ds]nat|masquerade|redirect|tproxy|synproxy|dup|fwd)\b/.test(text)
  )
}

function answerOf({ table, traversal }: Evaluation, statement: Condition): Answer {
  const seen = traversal.seen()
  switch (statement.kind) {
    case 'limit':
      return limited({ ...statement, bucket: statement }, seen)
    case 'quota': {
      const within = withinQuota(statement.bytes)
      return statement.isOver ? opposite(within, 'the quota is not used') : within
    }
    case 'connections': {
      const within = withinConnections(statement.most, seen)
      return statement.isOver ? opposite(within, 'there are no more connections') : within
    }
    case 'unknown':
      return unknown('this statement is not known')
    case 'match':
  }
  const { left, operator, right } = statement
  const elements = right.kind === 'elements' ? elementsOf(table, right.set, traversal) : undefined
  return compareNft(valueOf(left, seen), operator, right, elements, seen)
}

/** The element that a lookup in a map finds; undefined for none, `stopped` if it is not known which one. */
function mapped(
  evaluation: Evaluation,
  key: NftExpression,
  map: NftOperand,
  text: string,
): NftElement | 'stopped' | undefined {
  const { table, traversal, draw } = evaluation
  const value = valueOf(key, traversal.seen())
  const elements = elementsOf(table, map, traversal)
  if (elements === undefined || value.kind === 'unknown') {
    evaluation.effects.push(text)
    return 'stopped'
  }
  if (value.kind === 'numgen') {
    const { taken, condition: chance } = drawElement(value, elements, draw)
    return found(evaluation, map, taken, { condition: chance, because: taken ? 'chosen' : 'not chosen' })
  }
  const { element, possible } = lookUp(value, elements)
  if (element !== undefined || possible.length === 0)
    return found(evaluation, map, element, element ? {} : { condition: text, because: value.says })
  const options = [...possible.map((one) => ({ name: one.text })), { name: 'none of the elements' }]
  const question = `${draw.question}: ${text} (${value.says})`
  const taken = possible[draw.choices.take({ kind: 'unknown', place: draw.place, question }, options)]
  return found(evaluation, map, taken, { condition: text, because: `unknown: ${value.says}` })
}

function found(
  evaluation: Evaluation,
  map: NftOperand,
  element: NftElement | undefined,
  more: Pick<RuleStep, 'condition' | 'because'>,
): NftElement | undefined {
  const { step, table } = evaluation
  if (element === undefined) {
    evaluation.step = { ...step, ...more, holds: 'no' }
    return undefined
  }
  const meaning = 'name' in map ? table.sets.get(map.name)?.meanings.get(element.text) : undefined
  evaluation.step = { ...step, ...more, ...meaning, ...('name' in map ? { element: element.text } : {}) }
  return element
}

function elementsOf(table: NftTable, operand: NftOperand, traversal: Traversal): NftElements | undefined {
  if ('elements' in operand) return operand.elements
  return traversal.seen().state?.elements(table, operand.name) ?? table.sets.get(operand.name)?.elements
}

function effectOf({ effects, step }: Evaluation): string | undefined {
  return effects.length === 0 || step.holds !== 'yes' ? undefined : effects.join(', ')
}

function withEffect(evaluation: Evaluation): RuleStep {
  return { ...evaluation.step, effect: effectOf(evaluation) }
}
