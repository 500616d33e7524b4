import { InputError, type Problem } from '../../errors.js'
import { resolveChange } from '../changes/resolveChange.js'
import type { ChangeAction, WrittenChange } from '../changes/types.js'
import { waitProblem } from '../changes/waitState.js'
import { kindOf } from '../expectations/index.js'
import { inside } from '../file/explain.js'
import { substitute, type TextUse } from '../../names/expression.js'
import type { Named } from '../../names/named.js'
import { placeKinds, type Names } from '../../names/names.js'
import { resolveRequest, type Text } from './resolveRequest.js'
import { createResolver } from './resolver.js'
import { isRequest, requestsOf } from '../file/toStep.js'
import type { Action } from '../../results/request.js'
import type { Lab, Step, StepAction } from '../types.js'

type Path = readonly (string | number)[]
type Report = (path: Path, message: string, hint?: string) => void

/** A step with addresses and places instead of names; `expect` contains the resolved values. */
export interface ResolvedStep extends Step {
  /** The place that acts, by its shortest unique name; undefined for a change or a wait. */
  readonly from?: string | undefined
  readonly place: Named | undefined
  /** Name of the lab. */
  readonly lab: string
}

/** Where a step's names are looked up. */
export interface StepContext {
  readonly lab: Lab
  readonly names: Names
  readonly ignoreKinds?: ReadonlySet<string> | undefined
}

/** A step, and its unknown names, each with its position. */
export interface Resolved<Value> {
  readonly value: Value
  readonly problems: readonly Problem[]
}

/** Resolves the names in a step's action; its expectations stay as written. */
export function resolveAction(step: Step, context: StepContext): Resolved<ResolvedStep> {
  const { lab, names } = context
  const { problems, report, text } = reporting(names, (path) => lab.at(path))
  const { action, path } = step
  const asks = isRequest(action) || action.kind === 'load'
  const place = asks ? resolveFrom(step, lab, names, report) : undefined
  const resolved = resolveByKind(action, { step, context, text, report, problems })
  return {
    value: { ...step, path, action: resolved, from: place?.label, place, lab: lab.name },
    problems,
  }
}

interface ActionContext {
  readonly step: Step
  readonly context: StepContext
  readonly text: Text
  readonly report: Report
  readonly problems: Problem[]
}

function resolveByKind(
  action: StepAction,
  { step, context, text, report, problems }: ActionContext,
): StepAction {
  const { names } = context
  const { directory } = context.lab
  const { path } = step
  switch (action.kind) {
    case 'change': {
      const key = [...path, stepKey(action.written)]
      const written = withoutBraces(action, key, text)
      const reportAll = (more: readonly Problem[]) => void problems.push(...more)
      const changes = resolveChange(written, {
        ...context,
        ignoreKinds: context.ignoreKinds,
        path: key,
        report,
        reportAll,
      })
      return { ...action, written, changes }
    }
    case 'wait': {
      const at = [...path, 'wait', 'for']
      const wait = { ...action, for: text(action.for, at) }
      const problem = waitProblem(wait)
      if (problem) report(at, `${problem.message}${inside(at.slice(0, -1))}`, problem.hint)
      return wait
    }
    case 'load': {
      const request = resolveRequest(action.request, {
        names,
        text,
        report,
        path: [...path, 'load'],
        directory,
      })
      return { ...action, request: request as typeof action.request }
    }
    case 'stop':
      return action
    default:
      return resolveRequest(action, { names, text, report, path, directory })
  }
}

/** Resolves the names in a step's expectations; `requests` is the number of requests that they evaluate. */
export function resolveExpectations(
  step: ResolvedStep,
  { lab, names }: StepContext,
  requests = requestsOf(step),
): Resolved<ResolvedStep> {
  const { problems, report } = reporting(names, (path) => lab.at(path))
  const expect = Object.fromEntries(
    Object.entries(step.expect).map(([key, value]) => [
      key,
      resolveExpectation(key, value, { step, requests, names, report }),
    ]),
  )
  return { value: { ...step, expect }, problems }
}

interface ExpectationInput {
  readonly step: ResolvedStep
  readonly requests: number
  readonly names: Names
  readonly report: Report
}

function resolveExpectation(
  key: string,
  value: unknown,
  { step, requests, names, report }: ExpectationInput,
): unknown {
  const path = [...step.path, 'expect', key]
  let understood = true
  const reported: Report = (at, message, hint) => {
    understood = false
    report(at, `${message}${inside(at.slice(0, -1))}`, hint)
  }
  const text: Text = (inner, at) => {
    const done = substitute(inner, names, 'plain')
    if ('text' in done) return done.text
    reported(at, done.problem, done.hint)
    return inner
  }
  const given = substituteAll(value, path, text)
  // An unknown name in braces has been reported; other problems only follow from it.
  if (!understood) return undefined
  return kindOf(key)?.resolve(
    given,
    createResolver({ names, repeat: requests, action: step.action, path, report: reported }),
  )
}

/** What a request calls; in it, programs write names in braces too. Of a URL, scheme and host. */
const called = new Set<Path[number] | undefined>(['url', 'resolve', 'host', 'port'])
const calledOfUrl = /^https?:\/\/(?:\{[^}]*\}|[^/?#])*/i

/** A request of a program with addresses instead of names in what it calls; what it sends stays as it is. Throws InputError. */
export function resolveCall(action: Action, names: Names, directory: string): Action {
  const { problems, report, text: named } = reporting(names, () => undefined)
  const text: Text = (value, path, use) => {
    if (!called.has(path[1])) return value
    return use === 'url'
      ? value.replace(calledOfUrl, (host) => named(host, path, use))
      : named(value, path, use)
  }
  const resolved = resolveRequest(action, { names, text, report, path: [], directory })
  if (problems.length > 0) throw new InputError(problems)
  return resolved
}

function reporting(names: Names, at: (path: Path) => Problem['at']) {
  const problems: Problem[] = []
  const report: Report = (path, message, hint) => {
    problems.push({ message, hint, at: at(path) })
  }
  const text = (value: string, path: Path, use: TextUse = 'plain'): string => {
    const done = substitute(value, names, use)
    if ('text' in done) return done.text
    report(path, `${done.problem}${inside(path.slice(0, -1))}`, done.hint)
    return value
  }
  return { problems, report, text }
}

function resolveFrom(step: Step, lab: Lab, names: Names, report: Report): Named | undefined {
  const from = step.from ?? lab.clients[0]?.name
  if (from === undefined) {
    report(step.path, `"from" is missing${inside(step.path)}`, 'the lab has no client that could act')
    return undefined
  }
  const path = [...step.path, 'from']
  const lookup = names.lookup(from, placeKinds)
  if ('found' in lookup) return lookup.found[0]
  report(path, `${lookup.problem}${inside(step.path)}`, lookup.hint)
  return undefined
}

/** The key of a change in its step. */
export function stepKey({ verb }: WrittenChange): string {
  return verb === 'restart-kube-proxy' ? 'restart' : verb
}

/** An object in lab.yaml keeps its positions; for other changes the position of their key is used. */
function withoutBraces({ written }: ChangeAction, key: Path, text: Text): WrittenChange {
  const atKey: Text = (value) => text(value, key)
  if (written.verb !== 'apply') return substituteAll(written, key, atKey) as WrittenChange
  const manifests = written.manifests.map((manifest) =>
    'path' in manifest
      ? manifest
      : { ...manifest, object: substituteAll(manifest.object, manifest.at, text) as typeof manifest.object },
  )
  return { ...written, manifests }
}

/** Regular expressions use braces themselves. */
function substituteAll(value: unknown, path: Path, text: Text): unknown {
  if (typeof value === 'string') return text(value, path)
  if (Array.isArray(value)) return value.map((entry, index) => substituteAll(entry, [...path, index], text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'matches' ? inner : substituteAll(inner, [...path, key], text),
    ]),
  )
}
