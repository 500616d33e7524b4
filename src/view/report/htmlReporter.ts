import { createLabReports } from '../../reporters/labReports.js'
import type { LabReport, Reporter, ReporterOptions } from '../../results/events.js'
import { labFailed } from '../../results/verdict.js'
import type { ReportDocument, ReportedLab } from './document.js'
import type { PageCode } from '../pageCode.js'
import { htmlPage, pack } from './htmlPage.js'
import type { PathsOfRun } from './pathsOfRun.js'

/** What a run has collected of a lab besides its events. */
export interface Explained {
  readonly paths: PathsOfRun
  readonly packets: () => Buffer | undefined
}

/** Where the reporter finds what is not in events. */
export interface HtmlSources {
  readonly version: string
  readonly code: () => PageCode
  /** Undefined for a lab of which only events are known. */
  readonly explained: (report: LabReport) => Explained | undefined
}

/** A reporter that writes one HTML file at the end. */
export function createHtmlReporter(
  { version, code, explained }: HtmlSources,
  options: ReporterOptions,
): Reporter {
  const reports = createLabReports()
  return {
    on: (event) => reports.on(event),
    end() {
      const found = reports.all().map((report) => ({ report, explained: explained(report) }))
      const packets = packed(found.map(({ report, explained }) => ({ report, bytes: explained?.packets() })))
      const labs = found.map(({ report, explained }, index): ReportedLab => {
        const { steps, topologies, places } = explained?.paths.collected() ?? onlyEvents(report)
        return { report, steps, topologies, places, captureBytes: packets[index]?.bytes }
      })
      const document: ReportDocument = { version: 1, vethlab: version, labs }
      options.write(
        htmlPage(
          document,
          packets.map((one) => one?.text),
          code(),
        ),
      )
    },
  }
}

/** Characters of all packets in a report: with the results of all labs it stays below 5 MB. */
const mostPackets = 3_500_000

/** Packets in the form in which a page contains them. */
interface PackedPackets {
  readonly bytes: number
  readonly text: string
}

/** The packets of labs that failed; those of other labs, the smallest first, while there is room. */
function packed(
  labs: readonly { readonly report: LabReport; readonly bytes: Buffer | undefined }[],
): readonly (PackedPackets | undefined)[] {
  const all = labs.map(({ bytes }) =>
    bytes === undefined ? undefined : { bytes: bytes.length, text: pack(bytes) },
  )
  const order = [...all.keys()].toSorted((a, b) => rank(a) - rank(b))
  function rank(index: number): number {
    const report = labs[index]?.report
    return report !== undefined && labFailed(report) ? -1 : (all[index]?.text.length ?? 0)
  }
  let room = mostPackets
  const kept = new Set<number>()
  for (const index of order) {
    const size = all[index]?.text.length ?? 0
    if (rank(index) >= 0 && size > room) continue
    room -= size
    kept.add(index)
  }
  return all.map((one, index) => (kept.has(index) ? one : undefined))
}

function onlyEvents({ steps, topology }: LabReport): Pick<ReportedLab, 'steps' | 'topologies' | 'places'> {
  return { steps: steps.map(() => ({ topology: 0, paths: [] })), topologies: [topology], places: {} }
}
