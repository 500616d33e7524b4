import type { Problem } from '../../errors.js'
import { inside, subject } from './explain.js'
import type { YamlFile } from './readYaml.js'
import { actionKeys, type StepFile } from './schema.js'
import { isRequest, toStep } from './toStep.js'
import type { StepAction } from '../types.js'

type Path = readonly (string | number)[]

/** A step has one action. */
export function checkActionCount(
  step: Readonly<Record<string, unknown>>,
  path: Path,
  file: YamlFile,
): Problem[] {
  const actions = actionKeys.filter((key) => Object.hasOwn(step, key))
  if (actions.length === 1 || Object.keys(step).length === 0) return []
  const [, second] = actions
  if (second === undefined) {
    return [
      {
        message: `${subject(path)} has no action`,
        at: file.at(path),
        hint: `it needs one of ${actionKeys.join(', ')}`,
      },
    ]
  }
  const message = `${subject(path)} has several actions (${actions.join(', ')})`
  return [{ message, at: file.keyAt([...path, second]), hint: 'make a step of each' }]
}

const nobodyActs = 'nothing in the lab carries it out'

/** What a step says beside its action must mean something for that action. */
export function checkFields(given: StepFile, path: Path, file: YamlFile): Problem[] {
  const { action } = toStep(given, path)
  const problem = (key: string, hint: string): Problem => ({
    message: `"${key}"${inside(path)} says nothing of a ${action.kind}`,
    at: file.keyAt([...path, key]),
    hint,
  })
  const problems: Problem[] = []
  if (given.repeat !== undefined && !isRequest(action))
    problems.push(problem('repeat', 'only requests and commands are repeated'))
  if (given.from !== undefined && !isRequest(action) && action.kind !== 'load')
    problems.push(problem('from', nobodyActs))
  if (given.modes !== undefined && (action.kind === 'load' || action.kind === 'stop'))
    problems.push(problem('modes', 'a load goes on in every mode; steps beside it may be about some'))
  if (given.settle !== undefined && action.kind !== 'change')
    problems.push(problem('settle', 'only after a change does the lab come to rest'))
  return problems
}

/**
 * Loads have names, and end once. While one runs, a rule that counts may have counted its packets: chains that are hit
 * can then not be told from those that the load hit.
 */
export function checkLoads(
  steps: readonly { readonly given: StepFile; readonly path: Path }[],
  file: YamlFile,
): Problem[] {
  const running = new Set<string>()
  return steps.flatMap(({ given, path }) => {
    const { action } = toStep(given, path)
    const chains = [given.expect, given.expect?.['some']].some(
      (expect) => typeof expect === 'object' && expect !== null && 'chains' in expect,
    )
    const counted =
      chains && running.size > 0
        ? [
            {
              message: `"chains"${inside([...path, 'expect'])} cannot be told while ${[...running].join(', ')} goes on`,
              at: file.keyAt([...path, 'expect', 'chains']),
              hint: 'rules count the packets of a load too: stop it before',
            },
          ]
        : []
    return [...counted, ...loadProblems(action, path, running, file)]
  })
}

function loadProblems(action: StepAction, path: Path, running: Set<string>, file: YamlFile): Problem[] {
  if (action.kind === 'stop') {
    if (running.delete(action.load)) return []
    const message = `no load "${action.load}" goes on at ${subject(path)}`
    const known = [...running].join(', ')
    return [
      { message, at: file.at([...path, 'stop']), hint: known === '' ? undefined : `these do: ${known}` },
    ]
  }
  if (action.kind !== 'load') return []
  const { load, request, parallel } = action
  const at = file.at([...path, 'load', 'name'])
  if (running.has(load)) return [{ message: `a load "${load}" goes on at ${subject(path)} already`, at }]
  running.add(load)
  if (request.kind !== 'nc' || request.sourcePort === undefined || parallel === 1) return []
  return [
    {
      message: `"sourcePort"${inside([...path, 'load', 'nc'])} is one port; ${parallel} senders cannot share it`,
      at: file.at([...path, 'load', 'nc', 'sourcePort']),
    },
  ]
}
