import * as z from 'zod'
import { isKnownError } from '../../errors.js'
import { machineCapacity } from '../../host/machineCapacity.js'
import { HttpError } from '../../host/view/httpError.js'
import type { Call } from '../../host/view/routes.js'
import { sendOrder } from '../../up/sendOrder.js'
import type { UpLab } from '../../up/upLab.js'
import type { ClassRecord } from '../../workshop/class/classRecord.js'
import { withLinks, withoutLinks, withParticipants } from '../../workshop/class/newClass.js'
import { roomForMore } from '../../workshop/class/preflight.js'
import { classResults, type ClassResults } from '../../workshop/class/results.js'
import { joinersOf, mostParticipants } from '../../workshop/class/roster.js'
import { startOver } from '../../workshop/class/startOver.js'
import { readJson } from '../live/readJson.js'
import type { ClassState, FaultOrder, FaultReport, NewLinks } from './trainerApi.js'
import { classState } from './classState.js'
import type { LiveClass } from './liveClass.js'

/** What the trainer can do; each function is the answer of a route in api.ts. */
export interface TrainerAnswers {
  state(): ClassState
  message(call: Call): Promise<ClassState>
  lock(call: Call): Promise<ClassState>
  faults(call: Call): Promise<FaultReport>
  assist(call: Call): Promise<ClassState>
  join(call: Call): Promise<NewLinks>
  link(call: Call): NewLinks
  withdraw(call: Call): Promise<ClassState>
  results(): ClassResults
}

/** The links and sessions of the server. */
export interface Access {
  /** The URL of a link with a token. */
  readonly urlOf: (token: string) => string
  readonly endSessions: (who: string) => void
}

const mostMessages = 100
const text = z.string().trim().min(1).max(2000)
const name = z.string().max(256)

/** The answers for the trainer of a class. */
export function trainerAnswers(live: LiveClass, { urlOf, endSessions }: Access): TrainerAnswers {
  const state = () => classState(live)
  const newLinks = (before: ClassRecord, names: readonly string[]): NewLinks => {
    const { record, links } = withLinks(before, names)
    live.change(() => record)
    return { links: links.map(({ name: own, token }) => ({ name: own, url: urlOf(token) })) }
  }
  return {
    state,
    async message(call) {
      const { to, text: said } = readJson(z.strictObject({ text, to: name.optional() }), await call.body())
      if (to !== undefined) live.participant(to)
      live.change((record) => {
        const id = (record.messages.at(-1)?.id ?? 0) + 1
        const messages = [...record.messages, { id, at: Date.now(), text: said, ...(to && { to }) }]
        return { ...record, messages: messages.slice(-mostMessages) }
      })
      live.allChanged()
      return state()
    },
    async lock(call) {
      const schema = z.strictObject({ exercise: name.optional(), open: z.boolean() })
      const { exercise, open } = readJson(schema, await call.body())
      const names =
        exercise === undefined ? live.exercises.map((one) => one.name) : [live.exercise(exercise).name]
      live.change((record) => {
        const others = record.locked.filter((locked) => !names.includes(locked))
        return { ...record, locked: open ? others : [...others, ...names] }
      })
      live.allChanged()
      return state()
    },
    async faults(call) {
      const schema = z.strictObject({ exercise: name, fault: name.optional() })
      const { exercise, fault } = readJson(schema, await call.body())
      const { faults, directory } = live.exercise(exercise)
      if (fault !== undefined && !faults.some((one) => one.name === fault))
        throw new HttpError(404, `the exercise "${exercise}" has no fault "${fault}"`)
      if (faults.length === 0)
        throw new HttpError(400, `the fault of "${exercise}" is in its objects: it cannot be injected`)
      const running = [...live.participants.values()].flatMap(({ name: own, up }) =>
        up === undefined ? [] : [{ name: own, up }],
      )
      const participants = running.map(async ({ name: own, up }) => ({
        name: own,
        ...(await live.start(() => inject(up, { exercise: directory, fault }))),
      }))
      return { participants: await Promise.all(participants) }
    },
    async assist(call) {
      const { on } = readJson(z.strictObject({ on: z.boolean() }), await call.body())
      const participant = live.participant(call.segments['name'] ?? '')
      participant.assisted = on
      if (!on) await live.labViews.endAssistance(participant.name)
      live.changed(participant)
      return state()
    },
    async join(call) {
      const schema = z.strictObject({ names: z.array(z.string().max(256)).max(mostParticipants) })
      const { names } = readJson(schema, await call.body())
      const joiners = joinersOf([...live.participants.keys()], names)
      const { links } = newLinks(withParticipants(live.record(), joiners), joiners)
      live.join(joiners)
      await startOver(joiners)
      const idle = [...live.participants.values()].filter(({ up }) => up === undefined)
      return { links, warning: roomForMore(machineCapacity(), idle.length) }
    },
    link: (call) => newLinks(live.record(), [live.participant(call.segments['name'] ?? '').name]),
    async withdraw(call) {
      const participant = live.participant(call.segments['name'] ?? '')
      live.change((record) => withoutLinks(record, participant.name))
      endSessions(participant.name)
      await live.disconnect(participant)
      return state()
    },
    results: () => resultsNow(live),
  }
}

/** The results of a class that is served. */
export function resultsNow(live: LiveClass): ClassResults {
  return classResults(live.record(), (own) => live.workshopOf(live.participant(own)).progress())
}

async function inject(
  { holder }: UpLab,
  { exercise: directory, fault }: FaultOrder,
): Promise<{ readonly ok: boolean; readonly message?: string }> {
  try {
    const answer = await sendOrder(holder, { do: 'fault', directory, fault })
    const failed = 'outcomes' in answer ? answer.outcomes.find(({ ok }) => !ok) : undefined
    return failed === undefined ? { ok: true } : { ok: false, message: failed.observed.join('; ') }
  } catch (error) {
    if (!isKnownError(error)) throw error
    return { ok: false, message: error.message }
  }
}
