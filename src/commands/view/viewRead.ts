import { checkSummary } from '../../diagnose/check/checkText.js'
import { check } from '../../diagnose/check/check.js'
import { livePageFiles } from '../../host/builtFiles.js'
import { readAnySnapshot } from '../../inspect/anySnapshot.js'
import { withEvidence } from '../../inspect/checkEvidence.js'
import { foundSteps } from '../../view/report/foundSteps.js'
import type { ServeLabOptions } from '../../view/live/serveLab.js'
import { serveRead } from '../../view/live/serveRead.js'
import { endOnSignals } from '../endOnSignals.js'
import type { Language } from '../../text/language.js'
import { chosenLanguage } from '../options.js'
import { printError } from '../output.js'
import { openTracePage } from '../trace/traceHtml.js'
import { printUrl } from './servePageOf.js'

/** What a page shows, and how it is made. */
export interface ReadFlags {
  readonly filename?: readonly string[]
  readonly plan?: true
  readonly lang?: Language
}

/** Serves the page of what was attached, or of the plan of a lab, until a signal ends it. */
export async function viewRead(
  what: string,
  flags: ReadFlags,
  where: Pick<ServeLabOptions, 'address' | 'port'>,
): Promise<void> {
  const { snapshot, found } = await checked(what, flags)
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    await serveRead(snapshot, found, {
      ...where,
      code: livePageFiles(),
      signal: controller.signal,
      onUrl: printUrl,
    })
  } finally {
    if (interrupted.code !== undefined) process.exitCode = interrupted.code
    interrupted.forget()
  }
}

/** Writes one HTML file with what is wrong in a cluster, each with the path of a request that fails. */
export async function writeReadPage(what: string, flags: ReadFlags, path: string): Promise<void> {
  const page = openTracePage(path, chosenLanguage(flags.lang))
  const { snapshot, found } = await checked(what, flags)
  const facts = { network: snapshot.state.network, ...checkSummary(found) }
  await page.write(snapshot.model, foundSteps(snapshot, found), facts)
}

async function checked(what: string, flags: ReadFlags) {
  const { snapshot, bundle } = await readAnySnapshot(what, flags)
  for (const notice of snapshot.notices) printError(`note: ${notice}\n`)
  return { snapshot, found: withEvidence(check(snapshot), bundle) }
}
