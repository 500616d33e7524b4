import { InputError, type Problem } from '../errors.js'
import { kindOf } from './expectations/index.js'
import { inside, subject } from './explain.js'
import { substitute, type TextUse } from './expression.js'
import { placeKinds, type Named, type Names } from './names.js'
import { createResolver } from './resolver.js'
import { isAddress } from './socketText.js'
import type { Action, Lab, Step } from './types.js'
import { urlProblem } from './urlProblem.js'

type Path = readonly (string | number)[]
type Report = (path: Path, message: string, hint?: string) => void

/** A step whose names have become addresses and places; `expect` holds what each expectation made of its value. */
export interface ResolvedStep extends Step {
  /** Who acts, by the shortest name that means only that place. */
  readonly from: string
  readonly place: Named
  /** Name of the lab. */
  readonly lab: string
}

/** Gives every name in a lab's steps its meaning. Throws InputError with all that have none, each with its position. */
export function resolveLab(lab: Lab, names: Names): ResolvedStep[] {
  const problems: Problem[] = []
  const report: Report = (path, message, hint) => {
    problems.push({ message, hint, at: lab.at(path) })
  }
  const steps = lab.steps.flatMap((step) => resolveStep(step, lab, names, report) ?? [])
  if (problems.length > 0) throw new InputError(problems)
  return steps
}

function resolveStep(step: Step, lab: Lab, names: Names, report: Report): ResolvedStep | undefined {
  const text = (value: string, path: Path, use: TextUse = 'plain'): string => {
    const done = substitute(value, names, use)
    if ('text' in done) return done.text
    report(path, `${done.problem}${inside(path.slice(0, -1))}`, done.hint)
    return value
  }
  const action = resolveAction(step, names, text, report)
  const place = resolveFrom(step, lab, names, report)
  const expect = Object.fromEntries(
    Object.entries(step.expect).map(([key, value]) => [
      key,
      resolveExpectation(key, value, { step, action, names, report }),
    ]),
  )
  return place && { ...step, action, from: place.label, place, lab: lab.name, expect }
}

interface ExpectationInput {
  readonly step: Step
  readonly action: Action
  readonly names: Names
  readonly report: Report
}

function resolveExpectation(
  key: string,
  value: unknown,
  { step, action, names, report }: ExpectationInput,
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
  // What a brace could not be given has been reported; what the rest makes of it would only say it again.
  if (!understood) return undefined
  return kindOf(key)?.resolve(
    given,
    createResolver({ names, repeat: step.repeat, action, path, report: reported }),
  )
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

type Text = (value: string, path: Path, use?: TextUse) => string

function resolveAction({ action, path }: Step, names: Names, text: Text, report: Report): Action {
  const at = (...keys: Path): Path => [...path, action.kind, ...keys]
  switch (action.kind) {
    case 'curl': {
      const url = text(action.url, at('url'), 'url')
      const problem = url === action.url && url.includes('{') ? undefined : urlProblem(url)
      if (problem) report(at('url'), `${subject(at('url'))} ${problem}`)
      else if (URL.canParse(url)) refuseBareName(new URL(url).hostname, names, at('url'), report)
      const headers = Object.entries(action.headers).map(
        ([name, value]) => [name, text(value, at('headers', name))] as const,
      )
      const body = action.body === undefined ? undefined : text(action.body, at('body'))
      return { ...action, url, headers: Object.fromEntries(headers), body }
    }
    case 'nc': {
      const host = resolveHost(action.host, at('host'), names, text, report)
      const send = text(action.send, at('send'))
      const port =
        action.portText === undefined ? action.port : resolvePort(action.portText, at('port'), text, report)
      return { kind: 'nc', host, port, udp: action.udp, send, timeoutSeconds: action.timeoutSeconds }
    }
    case 'ping':
      return { ...action, host: resolveHost(action.host, at('host'), names, text, report) }
    case 'command':
      return { ...action, argv: action.argv.map((word, index) => text(word, at('argv', index))) }
  }
}

function resolveHost(given: string, path: Path, names: Names, text: Text, report: Report): string {
  const host = text(given, path)
  // Where a name has no meaning, that has been reported; it is all that is wrong.
  if (host === given && given.includes('{')) return host
  if (!isAddress(host) && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) {
    report(path, `${subject(path)} is not a host: "${host}"`)
  }
  refuseBareName(host, names, path, report)
  return host
}

/** No name server knows a node or a client: without braces the name would only fail to resolve, once the lab is up. */
function refuseBareName(host: string, names: Names, path: Path, report: Report): void {
  if ('found' in names.lookup(host, ['node', 'client'])) {
    report(
      path,
      `no name server knows "${host}"${inside(path.slice(0, -1))}`,
      `write {${host}} for its address`,
    )
  }
}

function resolvePort(given: string, path: Path, text: Text, report: Report): number {
  const digits = text(given, path)
  if (digits === given) return 0
  const port = Number(digits)
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port
  report(path, `${subject(path)} is not a port: ${given} is ${digits}`)
  return 0
}

/** Regular expressions have braces of their own. */
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
