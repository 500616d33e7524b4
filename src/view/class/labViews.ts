import { createEventStreams, type EventStreams } from '../../host/view/eventStreams.js'
import type { ControlGroups } from '../../host/groups/controlGroups.js'
import { startTerminal } from '../../host/terminal/startTerminal.js'
import { answerBelow, type Answer, type Call, type Route } from '../../host/view/routes.js'
import type { UpLab } from '../../up/upLab.js'
import { livePage, type LivePageCode } from '../live/livePage.js'
import type { Texts } from './api.js'
import { liveRoutes } from '../live/liveRoutes.js'
import { openLiveView, type LiveView } from '../live/liveView.js'

/** Who looks at a lab: its participant, the trainer, or the trainer with write access. */
export const audiences = ['owner', 'reader', 'assistant'] as const
export type Audience = (typeof audiences)[number]

/** The live views of the labs of a class; each is opened by the first request and closed when no page shows it. */
export interface LabViews {
  answer(name: string, up: UpLab, audience: Audience, call: Call): Promise<Answer>
  /** Ends the trainer's write access: the streams and terminals of the assistant. */
  endAssistance(name: string): Promise<void>
  /** Closes the view of a participant's lab, with the reason for its pages. */
  close(name: string, reason: string): Promise<void>
  /** Closes the views that no page has used for a while. */
  closeIdle(): Promise<void>
}

interface Seat {
  readonly streams: EventStreams
  readonly routes: readonly Route[]
  readonly parts: ReturnType<LiveView['parts']>
}

interface Opened {
  readonly up: UpLab
  readonly view: LiveView
  readonly seats: Readonly<Record<Audience, Seat>>
  active: number
  lastUse: number
}

const idleMs = 60_000
const mostTerminals = 8
const mostStreams = 8

/**
 * The views of the labs of a class, by `now` in milliseconds, with the titles of their exercises; terminals run in the group of
 * their participant.
 */
export function createLabViews(
  code: LivePageCode,
  now: () => number,
  titlesOf: (lab: string) => Texts | undefined,
  groups?: ControlGroups,
): LabViews {
  const opened = new Map<string, Promise<Opened>>()

  async function open(name: string, up: UpLab): Promise<Opened> {
    const seats = new Map<Audience, Seat>()
    const view = await openLiveView(up, {
      emit: ([name, data]) =>
        seats.forEach(({ streams, parts }) => streams.send([name, name === 'lab' ? parts.lab() : data])),
      signal: new AbortController().signal,
      mostTerminals,
      ...(groups === undefined
        ? {}
        : { startShell: (argv, ...how) => startTerminal(groups.command(name, argv), ...how) }),
    })
    const seat = (audience: Audience): Seat => {
      const streams = createEventStreams(mostStreams)
      const own = view.parts(audience === 'reader')
      const titles = titlesOf(up.lab)
      // the lab is shown by the title of its exercise
      const parts = { ...own, lab: () => ({ ...own.lab(), ...(titles && { title: titles.en, titles }) }) }
      const made = { streams, parts, routes: liveRoutes({ ...parts, streams }) }
      seats.set(audience, made)
      return made
    }
    const all = { owner: seat('owner'), reader: seat('reader'), assistant: seat('assistant') }
    return { up, view, seats: all, active: 0, lastUse: now() }
  }

  async function viewOf(name: string, up: UpLab): Promise<Opened> {
    const found = opened.get(name)
    if (found !== undefined) {
      const current = await found.catch(() => undefined)
      if (current?.up.pid === up.pid) return current
      await close(name, 'the lab was started again')
    }
    // another request may have opened it meanwhile
    return opened.get(name) ?? openNow(name, up)
  }

  function openNow(name: string, up: UpLab): Promise<Opened> {
    const opening = open(name, up)
    opened.set(name, opening)
    void opening
      .then(async ({ view }) => close(name, await view.ended, opening))
      .catch(() => {
        if (opened.get(name) === opening) opened.delete(name)
      })
    return opening
  }

  async function close(name: string, reason: string, only?: Promise<Opened>): Promise<void> {
    const opening = opened.get(name)
    if (opening === undefined || (only !== undefined && only !== opening)) return
    opened.delete(name)
    const found = await opening.catch(() => undefined)
    if (found === undefined) return
    for (const { streams } of Object.values(found.seats)) {
      streams.send(['end', { reason }])
      streams.end()
    }
    await found.view.stop()
  }

  return {
    async answer(name, up, audience, call) {
      if (call.method === 'GET' && call.rest.split('?')[0] === '/') {
        const { html, policy } = livePage(up.lab, code, ["frame-ancestors 'self'"])
        return { type: 'text/html; charset=utf-8', body: html, framePolicy: policy }
      }
      const view = await viewOf(name, up)
      view.active++
      const done = () => {
        view.active--
        view.lastUse = now()
      }
      if (call.signal.aborted) done()
      else call.signal.addEventListener('abort', done, { once: true })
      return answerBelow(view.seats[audience].routes, call)
    },
    async endAssistance(name) {
      const found = await opened.get(name)?.catch(() => undefined)
      if (found === undefined) return
      const { streams, parts } = found.seats.assistant
      streams.send(['end', { reason: 'the assistance has ended' }])
      streams.disconnect()
      await parts.terminals.stop()
    },
    close,
    async closeIdle() {
      for (const [name, opening] of opened) {
        const view = await opening.catch(() => undefined)
        if (view !== undefined && view.active === 0 && view.lastUse + idleMs < now())
          await close(name, 'no page has used it')
      }
    },
  }
}
