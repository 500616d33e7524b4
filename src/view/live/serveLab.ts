import { setTimeout as delay } from 'node:timers/promises'
import { InputError, isKnownError } from '../../errors.js'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import { servePage, type PageServer } from '../../host/view/pageServer.js'
import { readProxyState, upLab, type UpLab } from '../../up/upLab.js'
import type { LiveEvents, LiveLab } from './api.js'
import { linkedPlaces, liveLab } from './liveLab.js'
import { livePage, type LivePageCode } from './livePage.js'
import { watchPackets } from './livePackets.js'
import { createLiveRequests } from './liveRequests.js'
import { createLiveRules } from './liveRules.js'
import { liveRoutes } from './liveRoutes.js'
import { createLiveTerminals } from './liveTerminals.js'

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

/** How often the state of the lab is read, in milliseconds. */
const lookEveryMs = 500

/**
 * Serves the page and the API of a running lab until the lab ends or the signal aborts; `ended` is then why. Throws
 * CannotRunError for a port that is in use, and CommandError if packets cannot be captured.
 */
export async function serveLab(up: UpLab, options: ServeLabOptions): Promise<void> {
  const { address, port, readOnly, code, signal, onUrl } = options
  const proxy = await readProxyState(up)
  let lab: LiveLab = liveLab(up, proxy, readOnly)
  const emit = <Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]) =>
    server.emit([name, data])
  const packets = watchPackets(joinSandbox(up.pid, up.rootless), (some) => emit('packets', some))
  const requests = createLiveRequests(up, (run) => emit('request', run))
  const rules = createLiveRules(
    up,
    () => lab,
    (node) => emit('rules', { node }),
  )
  const terminals = createLiveTerminals(up, () => lab)
  const parts = { up, lab: () => lab, requests, rules, packets, terminals }
  const server: PageServer = await servePage({
    ...{ address, port, page: () => livePage(up.lab, code) },
    files: { '/terminal.js': { type: 'text/javascript', text: () => code.terminal } },
    routes: liveRoutes({ ...parts, invite: (ms) => server.invite(ms) }),
    events: { path: '/api/v1/events', first: () => [['lab', lab]] },
  }).catch(async (error: unknown) => {
    await packets.stop()
    throw error
  })
  try {
    await packets.watch(linkedPlaces(up.places))
    onUrl(server.invite())
    let last = textOf(up)
    for await (const now of statesOf(up, signal)) {
      if (textOf(now) === last) continue
      last = textOf(now)
      lab = liveLab(now, proxy, readOnly)
      emit('lab', lab)
      await packets.watch(linkedPlaces(now.places))
    }
    const reason = signal.aborted ? 'vethlab view has ended' : 'the lab was removed'
    emit('end', { reason })
  } finally {
    await Promise.all([packets.stop(), rules.putBack(), terminals.stop(), server.close()])
  }
}

/** The lab as it is, again and again, until it ends or the signal aborts. */
async function* statesOf(up: UpLab, signal: AbortSignal): AsyncGenerator<UpLab> {
  for (;;) {
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const now = await upLab(up.lab).catch((error: unknown) => {
      if (error instanceof InputError) return undefined
      // it may be ending
      if (isKnownError(error)) return up
      throw error
    })
    if (now?.pid !== up.pid) return
    yield now
  }
}

function textOf({ view, places }: UpLab): string {
  return JSON.stringify([view, places])
}
