import type { z } from 'zod'
import type { CheckResult } from '../../results/events.js'
import { exchangesOf, type Exchange } from '../steps/exchanges.js'
import type { Resolver } from '../names/resolver.js'
import type { CheckContext, Expectation, Needs, Observation, Step, StepAction } from '../types.js'
import type { Look } from './look.js'
import { summarise } from './summarise.js'
import type { Verdict } from './verdict.js'

/** What something in the lab carries out. */
export const requestActions: readonly StepAction['kind'][] = ['curl', 'nc', 'ping', 'command']
/** What leaves the lab in a state that can be looked at. */
export const momentActions: readonly StepAction['kind'][] = [...requestActions, 'change', 'wait', 'stop']

/** What an expectation claims, in words. */
export interface Claim {
  readonly name: string
  readonly expected: string
}

/** Why a claim cannot stand in a step, known before anything is built. */
export interface Refusal {
  readonly message: string
  readonly hint?: string | undefined
}

/** One kind of expectation as the lab file and the judge use it. */
export interface Kind extends Expectation<unknown> {
  /** One sentence for the JSON Schema and for editors. */
  readonly description: string
  /** The shape of the value in lab.yaml. */
  readonly schema: z.ZodType
  /** The actions that it can judge. */
  readonly actions: readonly StepAction['kind'][]
  readonly refuse: (given: unknown, step: Pick<Step, 'repeat' | 'action'>) => Refusal | undefined
  /** Gives the names in the value their meaning; `evaluate` takes what this returns. */
  readonly resolve: (given: unknown, resolver: Resolver) => unknown
  readonly claim: (value: unknown) => Claim
  /** Judges one request by itself; absent for claims about the step as a whole. */
  readonly judgeRequest?: ((value: unknown, exchange: Exchange, context: CheckContext) => Verdict) | undefined
}

interface Common<Given, Value> {
  readonly key: string
  readonly description: string
  readonly needs?: Needs
  /** All requests and commands when it is absent. */
  readonly actions?: readonly StepAction['kind'][]
  readonly schema: z.ZodType<Given>
  readonly refuse?: (given: Given, step: Pick<Step, 'repeat' | 'action'>) => Refusal | undefined
  readonly resolve: (given: Given, resolver: Resolver) => Value
  readonly claim: (value: Value) => Claim
  /** What shows more when the claim did not hold. */
  readonly look: (value: Value, seen: Observation, context: CheckContext) => Look
}

/** A kind that judges each request by itself; a repeated step meets it when every request does. */
export function requestKind<Given, Value>(
  spec: Common<Given, Value> & {
    readonly judge: (value: Value, exchange: Exchange, context: CheckContext) => Verdict
  },
): Kind {
  const judge = spec.judge as NonNullable<Kind['judgeRequest']>
  return {
    ...common(spec, (value, seen, context) =>
      summarise(exchangesOf(seen).map((exchange) => judge(value, exchange, context))),
    ),
    judgeRequest: judge,
  }
}

/** A kind that judges all that was seen during a step at once. */
export function stepKind<Given, Value>(
  spec: Common<Given, Value> & {
    readonly judge: (value: Value, seen: Observation, context: CheckContext) => Verdict
  },
): Kind {
  return common(spec, spec.judge as (value: unknown, seen: Observation, context: CheckContext) => Verdict)
}

/** Each kind knows the types of its own values; the list of all kinds does not. They meet here only. */
function common<Given, Value>(
  spec: Common<Given, Value>,
  judge: (value: unknown, seen: Observation, context: CheckContext) => Verdict,
): Kind {
  return {
    key: spec.key,
    description: spec.description,
    needs: spec.needs ?? {},
    schema: spec.schema,
    actions: spec.actions ?? requestActions,
    refuse: (given, step) => spec.refuse?.(given as Given, step),
    resolve: (given, resolver) => spec.resolve(given as Given, resolver),
    claim: (value) => spec.claim(value as Value),
    evaluate: (value, seen, context): readonly CheckResult[] => {
      const verdict = judge(value, seen, context)
      const look = verdict.ok ? undefined : lookCommand(context, spec.look(value as Value, seen, context))
      return [{ ...spec.claim(value as Value), ...verdict, look }]
    },
  }
}

function lookCommand({ lab }: CheckContext, { where, command }: Look): string {
  return `vethlab exec ${lab ?? ''} ${where} -- ${command}`
}
