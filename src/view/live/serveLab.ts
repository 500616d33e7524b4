import { createEventStreams } from '../../host/view/eventStreams.js'
import { servePage, type PageServer } from '../../host/view/pageServer.js'
import type { UpLab } from '../../up/upLab.js'
import { livePage, scriptsOf, type LivePageCode } from './livePage.js'
import { liveRoutes } from './liveRoutes.js'
import { openLiveView } from './liveView.js'

/** How the page of a running lab is served. */
export interface ServeLabOptions {
  readonly address: string
  /** 0 for a free port. */
  readonly port: number
  /** Rejects changes of objects and rules. */
  readonly readOnly: boolean
  readonly code: LivePageCode
  /** Ends the server. */
  readonly signal: AbortSignal
  /** Called with the URL for the first browser when the page can be opened. */
  readonly onUrl: (url: string) => void
}

/**
 * Serves the page and the API of a running lab until the lab ends or the signal aborts; `ended` is then why. Throws
 * CannotRunError for a port that is in use, and CommandError if packets cannot be captured.
 */
export async function serveLab(up: UpLab, options: ServeLabOptions): Promise<void> {
  const { address, port, readOnly, code, signal, onUrl } = options
  const streams = createEventStreams()
  const view = await openLiveView(up, {
    emit: ([name, data]) => streams.send([name, name === 'lab' ? parts.lab() : data]),
    signal,
  })
  const parts = view.parts(readOnly)
  try {
    const server: PageServer = await servePage({
      ...{ address, port, page: () => livePage(up.lab, code) },
      files: scriptsOf(code),
      routes: liveRoutes({ ...parts, streams, invite: (ms) => server.invite('', ms) }),
      howToOpen: 'open the URL that vethlab view prints, which works once',
    })
    try {
      onUrl(server.invite())
      streams.send(['end', { reason: await view.ended }])
    } finally {
      await server.close([streams])
    }
  } finally {
    await view.stop()
  }
}
