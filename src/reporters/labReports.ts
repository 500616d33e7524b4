import type { LabEvent, LabReport, TopologyView } from '../results/events.js'

/** Collects events into reports, for formats that are one document. */
export interface LabReports {
  on(event: LabEvent): void
  /** One report for each lab that started, in that order; a lab that did not end has the results that it had until then. */
  all(): readonly LabReport[]
}

/** The `error` of a lab that started and did not end. */
const INTERRUPTED = 'the run was interrupted before this lab ended'

const NOTHING: TopologyView = { fabric: [], nodes: [], clients: [], pods: [], services: [] }

/** After a lab has ended, a lab of the same name may run again. */
export function createLabReports(): LabReports {
  const reports: LabReport[] = []
  /** By lab that has not ended: the index of its report in `reports`. */
  const open = new Map<string, number>()

  const update = (lab: string, change: (report: LabReport) => LabReport) => {
    const index = open.get(lab) ?? reports.length
    open.set(lab, index)
    reports[index] = change(reports[index] ?? started(lab, ''))
  }

  return {
    on: (event) => {
      switch (event.type) {
        case 'lab-start':
          update(event.lab, (report) => ({ ...report, ...factsOf(event) }))
          break
        case 'lab-skipped': {
          const { error: _, ...empty } = started(event.lab, '')
          reports.push({ ...empty, skipped: event.reason })
          break
        }
        case 'lab-error':
          update(event.lab, (report) => ({ ...report, file: event.file ?? report.file, error: event.error }))
          open.delete(event.lab)
          break
        case 'notice':
          update(event.lab, (report) => ({ ...report, notices: [...report.notices, event.message] }))
          break
        case 'lab-up':
          update(event.lab, (report) => ({
            ...report,
            topology: event.topology,
            durationMs: event.durationMs,
          }))
          break
        case 'step-start':
          break
        case 'step-end':
          update(event.lab, (report) => ({
            ...report,
            steps: [...report.steps, event.result],
            durationMs: report.durationMs + event.result.durationMs,
          }))
          break
        case 'lab-end':
          update(event.lab, () => event.result)
          open.delete(event.lab)
      }
    },
    all: () => reports,
  }
}

function factsOf({ title, file, startedAt }: LabEvent & { readonly type: 'lab-start' }) {
  return { title, ...(file === undefined ? {} : { file }), ...(startedAt === undefined ? {} : { startedAt }) }
}

function started(lab: string, title: string): LabReport {
  return {
    lab,
    title,
    ok: false,
    durationMs: 0,
    topology: NOTHING,
    steps: [],
    notices: [],
    error: INTERRUPTED,
  }
}
