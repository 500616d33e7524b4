import { computed, effect, signal } from '@preact/signals'
import type { ReportDocument, ReportedLab } from '../report/document.js'
import { labFailed, stepFailed } from '../../results/verdict.js'
import type { StepResult } from '../../results/events.js'
import { frames, goTo, moment, showExchange } from './exchange.js'

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

/** What an address names, in its order. */
const names = ['lab', 'step', 'flow', 'moment'] as const

/** What the address names and the report does not have; undefined if it has everything. */
export const unknownAddress = signal<
  { readonly what: (typeof names)[number]; readonly name: string } | undefined
>(undefined)

/** Shows what the address names: `#nodeport/2/1/5` is the fifth moment of a flow. What it does not know, it reports. */
export function followAddress(): void {
  const { labs } = report.value
  const parts = location.hash.slice(1).split('/')
  const [slug = '', step = '', flow = '', at = ''] = parts
  const found = labs.findIndex((_, index) => slugOf(index) === slug)
  const lab = found < 0 && labs.length === 1 ? 0 : found < 0 ? undefined : found
  const steps = lab === undefined ? [] : (labs[lab]?.report.steps ?? [])
  const named = indexIn(step, steps.length)
  const stepAt = named ?? firstStep(steps)
  const flowAt = indexIn(flow, steps[stepAt]?.flows.length ?? 0) ?? 0
  show({ lab, step: stepAt, flow: flowAt })
  const momentAt = indexIn(at, frames.value.length)
  if (momentAt !== undefined) goTo(momentAt)
  // a flow of 1 is part of each address, and not every step has one
  const isFlow = flow === '' || flow === '1' || indexIn(flow, steps[stepAt]?.flows.length ?? 0) !== undefined
  const isStep = step === '' || step === '1' || named !== undefined
  const isKnown = [slug === '' || found >= 0, isStep, isFlow, at === '' || momentAt !== undefined]
  const firstUnknown = isKnown.indexOf(false)
  const what = names[firstUnknown]
  unknownAddress.value = what && { what, name: decodeURIComponent(parts[firstUnknown] ?? '') }
}

/** The index of what is counted from 1 in an address; undefined if there is no such one. */
function indexIn(text: string, length: number): number | undefined {
  const index = Number(text) - 1
  return text !== '' && Number.isInteger(index) && index >= 0 && index < length ? index : undefined
}

/** Writes the moment that is shown into the address, without an entry in the history for each. */
export function keepAddress(): void {
  effect(() => {
    const at = moment.value
    const { lab: current, step: stepAt, flow: flowAt } = shown.peek()
    if (current === undefined || at === 0 || frames.peek().length === 0) return
    const address = `#${slugOf(current)}/${stepAt + 1}/${flowAt + 1}/${at + 1}`
    if (location.hash !== address) history.replaceState(null, '', address)
  })
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
