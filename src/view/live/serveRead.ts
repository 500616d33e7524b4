import type { CheckResult } from '../../diagnose/check/types.js'
import { createEventStreams } from '../../host/view/eventStreams.js'
import { servePage, type PageServer } from '../../host/view/pageServer.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { livePage, scriptsOf } from './livePage.js'
import { createLiveRequests } from './liveRequests.js'
import { pageRoutes } from './liveRoutes.js'
import { podCallers } from './podCallers.js'
import { readLab, readPlaceDetails, readRules } from './readCluster.js'
import type { ServeLabOptions } from './serveLab.js'

/**
 * Serves the page of a cluster that was read, or of the plan of a lab, until the signal aborts: its topology, its rules, what `check`
 * found, and predictions. Throws CannotRunError for a port that is in use.
 */
export async function serveRead(
  snapshot: Snapshot,
  found: CheckResult,
  { address, port, code, signal, onUrl }: Omit<ServeLabOptions, 'readOnly'>,
): Promise<void> {
  const streams = createEventStreams()
  const lab = readLab(snapshot, found)
  const now = () => Promise.resolve(snapshot)
  const requests = createLiveRequests({ name: lab.lab, planned: now, now }, signal, (run) =>
    streams.send(['request', run]),
  )
  const server: PageServer = await servePage({
    ...{ address, port, page: () => livePage(lab.lab, code), files: scriptsOf(code) },
    routes: pageRoutes({
      ...{ lab: () => lab, requests, rules: readRules(snapshot, lab), streams },
      callers: (netns) => Promise.resolve(podCallers(snapshot, netns)),
      details: (netns, place) => Promise.resolve(readPlaceDetails(snapshot, netns, place)),
    }),
    howToOpen: 'open the URL that vethlab view prints, which works once',
  })
  try {
    onUrl(server.invite())
    await new Promise<void>((ended) => {
      if (signal.aborted) ended()
      signal.addEventListener('abort', () => ended(), { once: true })
    })
    streams.send(['end', { reason: 'vethlab view has ended' }])
  } finally {
    await server.close([streams])
  }
}
