import type { ControlGroups } from '../../host/groups/controlGroups.js'
import { servePage } from '../../host/view/pageServer.js'
import type { Certificate } from '../../ingress/model.js'
import type { Exercise } from '../../lab/workshop/types.js'
import type { ClassRecord, ClassStore } from '../../workshop/class/classRecord.js'
import { linkHolder } from '../../workshop/class/newClass.js'
import { mostParticipants } from '../../workshop/class/roster.js'
import type { ClassResults } from '../../workshop/class/results.js'
import { livePage, scriptsOf, type LivePageCode } from '../live/livePage.js'
import type { PageCode } from '../pageCode.js'
import { openClass } from './openClass.js'
import { routesOfClass } from './routesOfClass.js'
import { resultsNow } from './trainerRoutes.js'

/** How a class is served. */
export interface ServeClassOptions {
  readonly address: string
  readonly port: number
  /** Names or addresses of this server, the first one is that of links. */
  readonly names: readonly string[]
  readonly tls?: Certificate | undefined
  readonly store: ClassStore
  readonly record: ClassRecord
  readonly exercises: readonly Exercise[]
  /** Limit what each participant uses; without them there are no limits. */
  readonly groups?: ControlGroups | undefined
  readonly labCode: LivePageCode
  /** The page of participants and of the trainer. */
  readonly code: PageCode
  /** Ends the server. */
  readonly signal: AbortSignal
  /** Called with the server's URL, without a path, when pages can be opened. */
  readonly onUrl: (url: string) => void
}

/**
 * Serves a class until the signal aborts or the trainer ends it; then removes the labs of its participants, and returns the
 * results. Throws CannotRunError for a port that is in use.
 */
export async function serveClass(options: ServeClassOptions): Promise<ClassResults> {
  const { address, port, names, tls, store, record, exercises, labCode, code, signal, onUrl } = options
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  const live = await openClass(store, record, exercises, labCode, over, options.groups)
  try {
    const access = {
      urlOf: (token: string) => `${server.url}/?token=${token}`,
      endSessions: (who: string) => server.endSessions(who),
    }
    const server = await servePage({
      ...{ address, port, names, tls, howToOpen: 'open your link again, or ask the trainer for one' },
      page: () => livePage(live.record().title, code, ["frame-src 'self'", "frame-ancestors 'none'"]),
      files: scriptsOf(labCode),
      routes: routesOfClass(live, access, () => ending.abort()),
      links: (hash) => linkHolder(live.record(), hash),
      keeper: {
        before: record.sessions ?? [],
        keep: (sessions) => live.change((now) => ({ ...now, sessions: [...sessions] })),
      },
      // each has several devices; a browser has up to six connections, and may keep some open
      mostSessions: 16 * (mostParticipants + 1),
      mostConnections: 32 * (mostParticipants + 4),
    })
    onUrl(server.url)
    if (!over.aborted)
      await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }))
    const isOver = ending.signal.aborted
    await server.close(await live.stop(isOver ? 'the class has ended' : 'the server has ended', isOver))
  } catch (error) {
    await live.stop('the server has failed', false)
    throw error
  }
  await Promise.all([...live.participants.values()].map((one) => live.removeLabs(one, 'the class has ended')))
  await options.groups?.remove()
  return resultsNow(live)
}
