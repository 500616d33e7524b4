import { pageFile } from '../../host/builtFiles.js'
import { version } from '../../version.js'
import { htmlPage } from '../../view/report/htmlPage.js'
import { requestDocument, type TracedStep } from '../../view/report/tracedRequest.js'
import { openReportFile } from '../output.js'
import type { Question } from '../../diagnose/question.js'

/** A file that will have a page about a request; it is tried before a packet is sent. */
export interface TracePage {
  /** Writes the page about one request, in one mode or more. */
  write(question: Question, requests: readonly TracedStep[]): Promise<void>
}

/** Opens the file of `--html`. Throws WriteError. */
export function openTracePage(path: string): TracePage {
  const file = openReportFile(path)
  return {
    async write({ snapshot, from }, requests) {
      const code = { script: pageFile('report.js'), style: pageFile('style.css') }
      file.write(htmlPage(requestDocument(version(), snapshot.model, from, requests), [], code))
      await file.end()
    },
  }
}
