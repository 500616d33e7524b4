import { records } from '../../manifests/loose.js'
import type { ContainerStatus, Job, Pod } from '../../types.js'

/** The first rule of the podFailurePolicy of a Job that a failed pod matches (matchPodFailurePolicy). */
export interface FailureAction {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count'
  /** The message of the condition of a Job that this pod fails. */
  readonly message: string
}

/** What the podFailurePolicy of a Job does with a failed pod; undefined if no rule matches. */
export function failureAction({ spec }: Job, pod: Pod): FailureAction | undefined {
  const { rules } = (spec['podFailurePolicy'] ?? {}) as { rules?: unknown }
  const { namespace = 'default', name } = pod.metadata
  for (const [index, { action, onExitCodes, onPodConditions }] of records(rules).entries()) {
    const end = `matching ${String(action)} rule at index ${index}`
    const found = { action: action as FailureAction['action'] }
    const container = exitedContainer(pod, onExitCodes as OnExitCodes | undefined)
    if (container !== undefined) {
      const code = container.state?.terminated?.exitCode
      const message = `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code} ${end}`
      return { ...found, message }
    }
    const condition = records(onPodConditions).find((wanted) =>
      pod.status?.conditions?.some(
        ({ type, status }) => type === wanted['type'] && status === (wanted['status'] ?? 'True'),
      ),
    )
    if (condition !== undefined)
      return {
        ...found,
        message: `Pod ${namespace}/${name} has condition ${String(condition['type'])} ${end}`,
      }
  }
  return undefined
}

interface OnExitCodes {
  readonly containerName?: string
  readonly operator?: string
  readonly values?: readonly number[]
}

function exitedContainer(pod: Pod, rule: OnExitCodes | undefined): ContainerStatus | undefined {
  if (rule === undefined) return undefined
  const { containerName, operator, values = [] } = rule
  return pod.status?.containerStatuses?.find(({ name, state }) => {
    const code = state?.terminated?.exitCode
    if (code === undefined || code === 0 || (containerName ?? name) !== name) return false
    return values.includes(code) === (operator === 'In')
  })
}
