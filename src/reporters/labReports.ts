import type { LabEvent, LabReport, TopologyView } from '../results/events.js'

/** Gathers events into reports, for formats that are one document. */
export interface LabReports {
  on(event: LabEvent): void
  /** One report for each lab that began, in that order; what was seen of a lab that never ended is kept. */
  all(): readonly LabReport[]
}

/** The `error` of a lab that began and never ended. */
const CUT_OFF = 'the run was cut off before this lab ended'

const NOTHING: TopologyView = { fabric: [], nodes: [], clients: [], pods: [], services: [] }

/** Gathers from events what `LabReports.all` tells; a lab may run again under the same name once it has ended. */
export function createLabReports(): LabReports {
  const reports: LabReport[] = []
  /** Where the report of a lab that has not ended stands in `reports`. */
  const open = new Map<string, number>()

  const amend = (lab: string, change: (report: LabReport) => LabReport) => {
    const index = open.get(lab) ?? reports.length
    open.set(lab, index)
    reports[index] = change(reports[index] ?? begun(lab, ''))
  }

  return {
    on: (event) => {
      switch (event.type) {
        case 'lab-start':
          amend(event.lab, (report) => ({ ...report, title: event.title }))
          break
        case 'lab-skipped': {
          const { error: _, ...nothing } = begun(event.lab, '')
          reports.push({ ...nothing, skipped: event.reason })
          break
        }
        case 'notice':
          amend(event.lab, (report) => ({ ...report, notices: [...report.notices, event.message] }))
          break
        case 'lab-up':
          amend(event.lab, (report) => ({
            ...report,
            topology: event.topology,
            durationMs: event.durationMs,
          }))
          break
        case 'step-start':
          break
        case 'step-end':
          amend(event.lab, (report) => ({
            ...report,
            steps: [...report.steps, event.result],
            durationMs: report.durationMs + event.result.durationMs,
          }))
          break
        case 'lab-end':
          amend(event.lab, () => event.result)
          open.delete(event.lab)
      }
    },
    all: () => reports,
  }
}

function begun(lab: string, title: string): LabReport {
  return { lab, title, ok: false, durationMs: 0, topology: NOTHING, steps: [], notices: [], error: CUT_OFF }
}
