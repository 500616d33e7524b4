import { reportPageFiles } from '../../host/builtFiles.js'
import type { RunPreparedOptions } from '../../lab/steps/runPrepared.js'
import type { Reporter, ReporterOptions } from '../../results/events.js'
import { version } from '../../version.js'
import { collectPaths } from '../../view/report/pathsOfRun.js'
import { createHtmlReporter, type Explained } from '../../view/report/htmlReporter.js'

/** A run with an HTML report. */
export interface HtmlRun {
  create(options: ReporterOptions): Reporter
  /** The options with which a lab is run, by its name in events. */
  collect(lab: string): Pick<RunPreparedOptions, 'afterStep' | 'onPackets'>
}

/** Collects paths and packets of labs while they run; labs that run elsewhere have only their events. */
export function createHtmlRun(): HtmlRun {
  const byLab = new Map<string, Explained[]>()
  return {
    create: (options) =>
      createHtmlReporter(
        {
          version: version(),
          code: () => reportPageFiles(),
          explained: ({ lab }) => byLab.get(lab)?.shift(),
        },
        options,
      ),
    collect(lab) {
      const paths = collectPaths()
      let packets: Buffer | undefined
      const own = byLab.get(lab) ?? []
      byLab.set(lab, own)
      own.push({ paths, packets: () => packets })
      return {
        afterStep: (running, result) => paths.afterStep(running, result),
        onPackets: (blocks) => void (packets = Buffer.concat(blocks)),
      }
    },
  }
}
