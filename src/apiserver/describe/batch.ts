import { duration } from '../../cluster/columns/column.js'
import { labelsText, selectorText } from '../../cluster/columns/selectorText.js'
import { objectKey } from '../../cluster/manifests/locatedObject.js'
import { controllerKey } from '../../cluster/owners.js'
import type { Job, JobSpec, ReplicationController } from '../../cluster/types.js'
import type { Describer, Field } from './describer.js'
import { templateSection } from './podTemplate.js'

/** The counts in the status of a Job that the API shows. */
type ShownJob = Job & {
  status?: { active?: number; ready?: number; succeeded?: number; failed?: number }
}

/** A Job in the fields of `kubectl describe job`. */
export const jobDescriber: Describer<ShownJob> = {
  kind: 'Job',
  needs: [],
  describe({ metadata, spec, status = {} }) {
    const { active = 0, ready = 0, succeeded = 0, failed = 0, startTime, completionTime } = status
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true)
    const fields = [
      ['Controlled By', owner && `${owner.kind}/${owner.name}`],
      ['Parallelism', String(spec.parallelism ?? 1)],
      ['Completions', spec.completions?.toString() ?? '<unset>'],
      ['Completion Mode', spec.completionMode],
      ['Suspend', yesNo(spec.suspend)],
      ['Backoff Limit', spec.backoffLimit?.toString()],
      ['TTL Seconds After Finished', spec.ttlSecondsAfterFinished?.toString()],
      ['Start Time', startTime && timeText(startTime)],
      ['Completed At', completionTime && timeText(completionTime)],
      ['Duration', startTime && completionTime && between(startTime, completionTime)],
      ['Active Deadline Seconds', deadline(spec)],
      ['Pods Statuses', `${active} Active (${ready} Ready) / ${succeeded} Succeeded / ${failed} Failed`],
    ] satisfies OptionalField[]
    const conditions = (status.conditions ?? []).map((one) => [one.type, one.status, one.reason, one.message])
    const heading = ['Type', 'Status', 'Reason', 'Message']
    return {
      first: [['Selector', selectorText(spec.selector)]],
      fields: given(fields),
      sections: [
        ...(conditions.length === 0 ? [] : [{ heading: 'Conditions', rows: [heading, ...conditions] }]),
        templateSection(spec.template),
      ],
    }
  },
}

/** A ReplicationController in the fields of `kubectl describe replicationcontroller`. */
export const replicationControllerDescriber: Describer<
  ReplicationController & { status?: { replicas?: number } }
> = {
  kind: 'ReplicationController',
  needs: ['pods'],
  describe(object, { pods }) {
    const { spec, status = {} } = object
    const own = pods.filter((pod) => controllerKey(pod) === objectKey(object))
    const count = (phase: string) => own.filter((pod) => (pod.status?.phase ?? 'Pending') === phase).length
    const phases = [
      `${count('Running')} Running`,
      `${count('Pending')} Waiting`,
      `${count('Succeeded')} Succeeded`,
      `${count('Failed')} Failed`,
    ]
    return {
      first: [['Selector', labelsText(spec.selector)]],
      fields: [
        ['Replicas', `${status.replicas ?? 0} current / ${spec.replicas ?? 1} desired`],
        ['Pods Status', phases.join(' / ')],
      ],
      sections: [templateSection(spec.template)],
    }
  },
}

type OptionalField = readonly [string, string | undefined]

function given(fields: readonly OptionalField[]): Field[] {
  return fields.flatMap(([name, value]): Field[] => (value === undefined ? [] : [[name, value]]))
}

function deadline({ activeDeadlineSeconds }: JobSpec): string | undefined {
  return activeDeadlineSeconds === undefined ? undefined : `${activeDeadlineSeconds}s`
}

function yesNo(value: boolean | undefined): string {
  return value === true ? 'true' : 'false'
}

/** As Go's RFC1123Z. */
function timeText(time: string): string {
  return new Date(time).toUTCString().replace('GMT', '+0000')
}

function between(start: string, end: string): string {
  return duration((Date.parse(end) - Date.parse(start)) / 1000)
}
