import { unifiedDiff } from '../../text/unifiedDiff.js'
import { canonicalJson } from '../hash.js'
import { records } from '../manifests/loose.js'
import type { Container, Pod, PodSpec } from '../types.js'
import { forbidden, invalid, type FieldError } from './fieldErrors.js'
import { podSpecText } from './podForm.js'

const mayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Allows changes of only a few fields of an existing pod (ValidatePodUpdate). */
export function validatePodUpdate({ spec: before }: Pod, { spec: next }: Pod): FieldError[] {
  for (const list of ['containers', 'initContainers'] as const)
    if ((before[list] ?? []).length !== (next[list] ?? []).length)
      return [forbidden(['spec', list], 'pod updates may not add or remove containers')]
  const path = ['spec', 'activeDeadlineSeconds']
  const [least, deadline] = [seconds(before), seconds(next)]
  if (least !== undefined && deadline !== undefined && least < deadline)
    return [invalid(path, deadline, 'must be less than or equal to previous value')]
  const errors =
    least !== undefined && deadline === undefined
      ? [invalid(path, null, 'must not update from a positive integer to nil value')]
      : []
  return [
    ...errors,
    ...changedTolerations(before, next),
    ...addedGates(before, next),
    ...others(before, next),
  ]
}

function seconds({ activeDeadlineSeconds }: PodSpec): number | undefined {
  return typeof activeDeadlineSeconds === 'number' ? activeDeadlineSeconds : undefined
}

function changedTolerations(before: PodSpec, next: PodSpec): FieldError[] {
  const list = ({ tolerations }: PodSpec) =>
    records(tolerations).map(({ tolerationSeconds: _seconds, ...rest }) => canonicalJson(rest))
  const now = new Set(list(next))
  return list(before).every((toleration) => now.has(toleration))
    ? []
    : [
        forbidden(
          ['spec', 'tolerations'],
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ]
}

function addedGates(before: PodSpec, next: PodSpec): FieldError[] {
  const names = (spec: PodSpec) => records(spec['schedulingGates']).map(({ name }) => String(name))
  const old = names(before)
  return names(next).flatMap((name, index) =>
    old.includes(name)
      ? []
      : [
          forbidden(
            ['spec', 'schedulingGates', index, 'name'],
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  )
}

/** The message has the difference of everything else. */
function others(before: PodSpec, next: PodSpec): FieldError[] {
  const images = (list: 'containers' | 'initContainers') =>
    next[list]?.map((container, index): Container => {
      return { ...container, image: before[list]?.[index]?.image ?? '' }
    })
  const { activeDeadlineSeconds, schedulingGates, tolerations } = before
  const { terminationGracePeriodSeconds: grace = 30 } = before
  const initContainers = images('initContainers')
  const rest: PodSpec = {
    ...next,
    ...{ activeDeadlineSeconds, schedulingGates, tolerations },
    containers: images('containers') ?? [],
    ...(initContainers === undefined ? {} : { initContainers }),
    ...(grace < 0 && next.terminationGracePeriodSeconds === 1
      ? { terminationGracePeriodSeconds: grace }
      : {}),
  }
  const difference = unifiedDiff(podSpecText(before), podSpecText(rest))
  return difference === '' ? [] : [forbidden(['spec'], `${mayChange}\n${difference}`)]
}
