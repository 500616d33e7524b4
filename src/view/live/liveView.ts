import { setTimeout as delay } from 'node:timers/promises'
import { joinSandbox } from '../../host/sandbox/sandbox.js'
import type { ServerEvent } from '../../host/view/eventStreams.js'
import { readProxyState, upLabNow, type UpLab } from '../../up/upLab.js'
import type { LiveEvents, LiveLab } from './api.js'
import { linkedPlaces, liveLab } from './liveLab.js'
import { readDownLinks } from './liveLinks.js'
import { watchPackets } from './livePackets.js'
import { askInUpLab, plannedUpLab, readUpLab, traceInUpLab } from '../../inspect/traceInLab.js'
import { createLiveRequests, type AskedCluster } from './liveRequests.js'
import { createLiveRules } from './liveRules.js'
import type { LiveParts } from './liveRoutes.js'
import { podCallers } from './podCallers.js'
import { placeDetails } from './placeDetails.js'
import { createLiveTerminals, type StartShell } from './liveTerminals.js'

/** A running lab as pages see it. */
export interface LiveView {
  /** For the routes of pages; each call has its own terminals. */
  parts(readOnly: boolean): Omit<LiveParts, 'streams'>
  /** Resolves with the reason when the lab has ended or the signal has aborted. */
  readonly ended: Promise<string>
  /** Puts back rules, closes terminals, and ends requests and captures. */
  stop(): Promise<void>
}

/** How a lab is watched. */
export interface LiveViewOptions {
  /** Called with the events of `LiveEvents` except `end`. */
  readonly emit: (event: ServerEvent) => void
  readonly signal: AbortSignal
  /** The most terminals of each call of `parts`. */
  readonly mostTerminals?: number | undefined
  readonly startShell?: StartShell | undefined
}

/** How often the state of the lab is read, in milliseconds. */
const lookEveryMs = 1000

/**
 * Watches a running lab until `stop`. Throws CannotRunError if packets cannot be captured, and the signal's reason
 * if it aborts first.
 */
export async function openLiveView(up: UpLab, options: LiveViewOptions): Promise<LiveView> {
  const proxy = await readProxyState(up)
  const sandbox = joinSandbox(up.pid, up.rootless)
  const labOf = async (now: UpLab) => liveLab(now, proxy, await readDownLinks(sandbox, now.places))
  let lab: LiveLab = await labOf(up)
  const emit = <Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]) =>
    options.emit([name, data])
  const packets = watchPackets(sandbox, (some) => emit('packets', some))
  const stopping = new AbortController()
  const signal = AbortSignal.any([options.signal, stopping.signal])
  const cluster: AskedCluster = {
    name: up.lab,
    planned: () => plannedUpLab(up),
    now: () => readUpLab(up),
    asked: (asked, reading) => askInUpLab(up, asked, reading),
    send: (request, ended) => traceInUpLab(up, request, ended),
  }
  const requests = createLiveRequests(cluster, signal, (run) => emit('request', run))
  const rules = createLiveRules(
    up,
    () => lab,
    (node) => emit('rules', { node }),
  )
  const terminals: LiveParts['terminals'][] = []
  signal.addEventListener('abort', () => void packets.stop())
  try {
    await packets.watch(linkedPlaces(up.places))
    signal.throwIfAborted()
  } catch (error) {
    await packets.stop()
    throw error
  }
  const follow = async () => {
    let last = textOf(up, lab)
    for await (const now of statesOf(up, signal)) {
      const next = await labOf(now)
      if (textOf(now, next) === last) continue
      last = textOf(now, next)
      lab = next
      emit('lab', lab)
      await packets.watch(linkedPlaces(now.places))
    }
    return options.signal.aborted ? 'vethlab view has ended' : 'the lab was removed'
  }
  const ended = follow()
  ended.catch(() => undefined)
  return {
    parts(readOnly) {
      const seen = () => ({ ...lab, readOnly })
      const own = createLiveTerminals(up, seen, options)
      terminals.push(own)
      const details: LiveParts['details'] = (netns, place) =>
        placeDetails(sandbox, netns, place, lab.families)
      const callers: LiveParts['callers'] = async (netns) => podCallers(await plannedUpLab(up), netns)
      return { up, lab: seen, requests, rules, details, callers, packets, terminals: own }
    },
    ended,
    async stop() {
      stopping.abort()
      await ended.catch(() => undefined)
      const ending = [packets.stop(), rules.putBack(), requests.settled()]
      await Promise.all([...ending, ...terminals.map((own) => own.stop())])
    },
  }
}

/** The lab as it is, again and again, until it ends or the signal aborts. */
async function* statesOf(up: UpLab, signal: AbortSignal): AsyncGenerator<UpLab> {
  for (;;) {
    await delay(lookEveryMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const now = await upLabNow(up)
    if (now === undefined) return
    yield now
  }
}

function textOf({ view, places }: UpLab, { downLinks }: LiveLab): string {
  return JSON.stringify([view, places, downLinks])
}
