import { reportPageFiles } from '../../host/builtFiles.js'
import { version } from '../../version.js'
import { htmlPage } from '../../view/report/htmlPage.js'
import { requestDocument, type PageFacts, type ShownStep } from '../../view/report/tracedRequest.js'
import { openReportFile } from '../output.js'
import type { LabModel } from '../../snapshot/model/snapshot.js'
import type { Language } from '../../text/language.js'

/** A file that will have a page about a request; it is tried before a packet is sent. */
export interface TracePage {
  /** Writes the page about requests in a cluster. */
  write(model: LabModel, steps: readonly ShownStep[], facts?: PageFacts): Promise<void>
}

/** Opens the file of `--html`, a page in a language. Throws WriteError. */
export function openTracePage(path: string, language: Language): TracePage {
  const file = openReportFile(path)
  return {
    async write(model, steps, facts) {
      const document = requestDocument(version(), model, steps, facts)
      file.write(htmlPage(document, [], reportPageFiles(language), language))
      await file.end()
    },
  }
}
