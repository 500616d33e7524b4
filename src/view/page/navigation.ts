import { computed, signal } from '@preact/signals'
import type { ReportDocument, ReportedLab } from '../report/document.js'
import { labFailed, stepFailed } from '../../results/verdict.js'
import type { StepResult } from '../../results/events.js'
import { showExchange } from './exchange.js'

/** What the page shows, as its address has it: `#nodeport/2/1` is the first flow of the second step. */
export interface Shown {
  /** Index into the labs of the report; undefined for the overview. */
  readonly lab: number | undefined
  readonly step: number
  readonly flow: number
}

export const report = signal<ReportDocument>({ version: 1, vethlab: '', labs: [] })
export const shown = signal<Shown>({ lab: undefined, step: 0, flow: 0 })

export const lab = computed<ReportedLab | undefined>(() => {
  const { lab } = shown.value
  return lab === undefined ? undefined : report.value.labs[lab]
})
export const step = computed<StepResult | undefined>(() => lab.value?.report.steps[shown.value.step])
/** The address of a lab in the page; labs of the same name are numbered. */
export function slugOf(index: number): string {
  const name = report.value.labs[index]?.report.lab ?? ''
  const before = report.value.labs.slice(0, index).filter((one) => one.report.lab === name).length
  return encodeURIComponent(name) + (before === 0 ? '' : `~${before + 1}`)
}

/** The address of a step or flow; both counted from 1. */
export function hashOf({ lab, step, flow }: Shown): string {
  return lab === undefined ? '#' : `#${slugOf(lab)}/${step + 1}/${flow + 1}`
}

/** Shows what the address names; what it does not know is ignored. */
export function followAddress(): void {
  const { labs } = report.value
  const [slug = '', step = '', flow = ''] = location.hash.slice(1).split('/')
  const found = labs.findIndex((_, index) => slugOf(index) === slug)
  const only = labs.length === 1 ? 0 : undefined
  const lab = found < 0 ? only : found
  const given = Number(step) - 1
  const reported = lab === undefined ? undefined : labs[lab]?.report
  const isStep = Number.isInteger(given) && reported?.steps[given] !== undefined
  const at = isStep ? given : firstStep(reported?.steps ?? [])
  const flows = reported?.steps[at]?.flows.length ?? 0
  const wanted = Number(flow) - 1
  show({ lab, step: at, flow: Number.isInteger(wanted) && wanted >= 0 && wanted < flows ? wanted : 0 })
}

/** The step to begin with: one that failed, or else the first with a packet. */
function firstStep(steps: readonly StepResult[]): number {
  const failed = steps.findIndex(stepFailed)
  return Math.max(0, failed >= 0 ? failed : steps.findIndex(({ flows }) => flows.length > 0))
}

/** Shows something from its first moment. */
export function show(next: Shown): void {
  shown.value = next
  const flow = step.value?.flows[next.flow]
  const path = lab.value?.steps[next.step]?.paths[next.flow]
  showExchange(flow === undefined ? undefined : { flow, path })
}

/** The labs in the order of the overview: failed first, then skipped last. */
export function orderedLabs(): readonly number[] {
  const rank = ({ report }: ReportedLab) => (labFailed(report) ? 0 : report.skipped === undefined ? 1 : 2)
  const { labs } = report.value
  const at = (index: number) => labs[index] as ReportedLab
  return labs.map((_, index) => index).toSorted((a, b) => rank(at(a)) - rank(at(b)) || a - b)
}
