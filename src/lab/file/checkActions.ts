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
  return [{ message, at: file.keyAt([...path, second]), hint: 'write one step for each' }]
}

const nobodyActs = 'nothing in the lab carries it out'

/** The other fields of a step must apply to its action. */
export function checkFields(given: StepFile, path: Path, file: YamlFile): Problem[] {
  const { action } = toStep(given, path)
  const problem = (key: string, hint: string): Problem => ({
    message: `"${key}"${inside(path)} does not apply to a ${action.kind}`,
    at: file.keyAt([...path, key]),
    hint,
  })
  const problems: Problem[] = []
  if (given.repeat !== undefined && !isRequest(action))
    problems.push(problem('repeat', 'only requests and commands are repeated'))
  if (given.from !== undefined && !isRequest(action) && action.kind !== 'load')
    problems.push(problem('from', nobodyActs))
  if (given.modes !== undefined && (action.kind === 'load' || action.kind === 'stop'))
    problems.push(problem('modes', 'a load runs in every mode; only other steps can be limited to modes'))
  if (given.versions !== undefined && (action.kind === 'load' || action.kind === 'stop'))
    problems.push(
      problem('versions', 'a load runs with every version; only other steps can be limited to versions'),
    )
  if (given.settle !== undefined && action.kind !== 'change')
    problems.push(problem('settle', 'only changes wait for the lab to settle'))
  return problems
}

/**
 * Loads have names, and end once. While one runs, counters of rules include its packets: chains that the step hits cannot
 * be distinguished from those that the load hits.
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
              message: `"chains"${inside([...path, 'expect'])} cannot be checked while ${[...running].join(', ')} runs`,
              at: file.keyAt([...path, 'expect', 'chains']),
              hint: 'counters include the packets of a load: stop it before',
            },
          ]
        : []
    return [...counted, ...loadProblems(action, path, running, file)]
  })
}

function loadProblems(action: StepAction, path: Path, running: Set<string>, file: YamlFile): Problem[] {
  if (action.kind === 'stop') {
    if (running.delete(action.load)) return []
    const message = `no load "${action.load}" runs at ${subject(path)}`
    const known = [...running].join(', ')
    return [{ message, at: file.at([...path, 'stop']), hint: known === '' ? undefined : `running: ${known}` }]
  }
  if (action.kind !== 'load') return []
  const { load, request, parallel } = action
  if (running.has(load)) {
    const message = `a load "${load}" already runs at ${subject(path)}`
    return [{ message, at: file.at([...path, 'load', 'name']) }]
  }
  running.add(load)
  if (request.kind !== 'nc' || request.sourcePort === undefined || parallel === 1) return []
  return [
    {
      message: `"sourcePort"${inside([...path, 'load', 'nc'])} is one port; ${parallel} senders cannot share it`,
      at: file.at([...path, 'load', 'nc', 'sourcePort']),
    },
  ]
}
