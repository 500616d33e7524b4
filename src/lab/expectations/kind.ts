import type { z } from 'zod'
import type { CheckResult } from '../../results/events.js'
import { exchangesOf, type Exchange } from '../steps/exchanges.js'
import type { Resolver } from '../names/resolver.js'
import type { CheckContext, Expectation, Needs, Step, StepAction } from '../types.js'
import type { Observation } from '../observation.js'
import type { Look } from './look.js'
import type { Verdict } from './verdict.js'
import { tally } from './pods/tally.js'

/** Requests that a message names by number. */
const shown = 4

/** The verdicts on a step's requests as one: there must be a request, and every request must pass. */
function summarise(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts
  if (first === undefined) return { ok: false, observed: 'no request was sent' }
  if (verdicts.length === 1) return first
  const failed = verdicts.filter((verdict) => !verdict.ok)
  const total = `${verdicts.length} requests`
  if (failed.length === 0) return { ...first, observed: `all ${total}: ${tally(observed(verdicts))}` }
  const numbers = verdicts.flatMap((verdict, index) => (verdict.ok ? [] : [index + 1])).slice(0, shown)
  const which = `request${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}${failed.length > shown ? ', …' : ''}`
  return {
    ...failed[0],
    ok: false,
    observed: `${failed.length} of ${total} differ (${which}): ${tally(observed(failed))}`,
  }
}

function observed(verdicts: readonly Verdict[]): string[] {
  return verdicts.map((verdict) => verdict.observed)
}

/** Actions that a place of the lab runs. */
export const requestActions: readonly StepAction['kind'][] = ['curl', 'nc', 'ping', 'command']
/** Actions after which the state of the lab can be checked. */
export const momentActions: readonly StepAction['kind'][] = [...requestActions, 'change', 'wait', 'stop']

/** An expectation in words. */
export interface CheckText {
  readonly name: string
  readonly expected: string
}

/** Why an expectation is invalid in a step, known before anything is built. */
export interface Refusal {
  readonly message: string
  readonly hint?: string | undefined
}

/** One kind of expectation: its schema, and how it is resolved and evaluated. */
export interface Kind extends Expectation<unknown> {
  /** One sentence for the JSON Schema and for editors. */
  readonly description: string
  /** The shape of the value in lab.yaml. */
  readonly schema: z.ZodType
  /** The actions that it can evaluate. */
  readonly actions: readonly StepAction['kind'][]
  readonly refuse: (given: unknown, step: Pick<Step, 'repeat' | 'action'>) => Refusal | undefined
  /** Resolves the names in the value; the result is the input of `evaluate`. */
  readonly resolve: (given: unknown, resolver: Resolver) => unknown
  readonly describe: (value: unknown) => CheckText
  /** Evaluates a single request; undefined for expectations about the whole step. */
  readonly evaluateRequest?:
    ((value: unknown, exchange: Exchange, context: CheckContext) => Verdict) | undefined
}

interface Common<Given, Value> {
  readonly key: string
  readonly description: string
  readonly needs?: Needs
  /** All requests and commands by default. */
  readonly actions?: readonly StepAction['kind'][]
  readonly schema: z.ZodType<Given>
  readonly refuse?: (given: Given, step: Pick<Step, 'repeat' | 'action'>) => Refusal | undefined
  readonly resolve: (given: Given, resolver: Resolver) => Value
  readonly describe: (value: Value) => CheckText
  /** The command that shows more after a failure. */
  readonly look: (value: Value, seen: Observation, context: CheckContext) => Look
}

/** A kind that evaluates each request; a repeated step passes when every request does. */
export function requestKind<Given, Value>(
  spec: Common<Given, Value> & {
    readonly evaluate: (value: Value, exchange: Exchange, context: CheckContext) => Verdict
  },
): Kind {
  const evaluate = spec.evaluate as NonNullable<Kind['evaluateRequest']>
  return {
    ...common(spec, (value, seen, context) =>
      summarise(exchangesOf(seen).map((exchange) => evaluate(value, exchange, context))),
    ),
    evaluateRequest: evaluate,
  }
}

/** A kind that evaluates everything recorded during a step. */
export function stepKind<Given, Value>(
  spec: Common<Given, Value> & {
    readonly evaluate: (value: Value, seen: Observation, context: CheckContext) => Verdict
  },
): Kind {
  return common(spec, spec.evaluate as (value: unknown, seen: Observation, context: CheckContext) => Verdict)
}

/** The list of all kinds erases the types of values; this is the only place with casts. */
function common<Given, Value>(
  spec: Common<Given, Value>,
  evaluate: (value: unknown, seen: Observation, context: CheckContext) => Verdict,
): Kind {
  return {
    key: spec.key,
    description: spec.description,
    needs: spec.needs ?? {},
    schema: spec.schema,
    actions: spec.actions ?? requestActions,
    refuse: (given, step) => spec.refuse?.(given as Given, step),
    resolve: (given, resolver) => spec.resolve(given as Given, resolver),
    describe: (value) => spec.describe(value as Value),
    evaluate: (value, seen, context): readonly CheckResult[] => {
      const verdict = evaluate(value, seen, context)
      const look = verdict.ok ? undefined : lookCommand(context, spec.look(value as Value, seen, context))
      return [{ ...spec.describe(value as Value), ...verdict, look }]
    },
  }
}

function lookCommand({ lab }: CheckContext, { where, command }: Look): string {
  return `vethlab exec ${lab ?? ''} ${where} -- ${command}`
}
