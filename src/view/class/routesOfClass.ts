import { HttpError } from '../../host/view/httpError.js'
import type { Answer, Call, Reply, Route } from '../../host/view/routes.js'
import { trainer } from '../../workshop/class/newClass.js'
import { resultsCsv } from '../../workshop/class/results.js'
import { classRoutes, type ClassRoute, type Role } from './api.js'
import { classState } from './classState.js'
import type { Audience } from './labViews.js'
import type { LiveClass } from './liveClass.js'
import { ownPage, trainersOwnPage } from './ownPage.js'
import { participantAnswers } from './participantRoutes.js'
import { trainerAnswers, type Access } from './trainerRoutes.js'

/** The largest body below a lab, which is that of its Kubernetes API. */
const mostBytes = 3 * 2 ** 20

/** The routes of a class; each checks the role that api.ts names. */
export function routesOfClass(live: LiveClass, access: Access, end: () => void): readonly Route[] {
  const own = participantAnswers(live)
  const all = trainerAnswers(live, access)
  const answers: Readonly<Record<ClassRoute, (call: Call) => unknown>> = {
    'GET /me': ({ who }) => (who === trainer ? trainersOwnPage(live) : ownPage(live, live.participant(who))),
    'GET /events': ({ who }) => events(live, who),
    'GET /exercises/{exercise}': (call) => own.view(call),
    'POST /exercises/{exercise}/start': (call) => own.start(call),
    'POST /exercises/{exercise}/check': (call) => own.check(call),
    'POST /exercises/{exercise}/reset': (call) => own.reset(call),
    'POST /exercises/{exercise}/save': (call) => own.save(call),
    'POST /exercises/{exercise}/restore': (call) => own.restore(call),
    'POST /exercises/{exercise}/hint': (call) => own.hint(call),
    'POST /exercises/{exercise}/solution': (call) => own.solution(call),
    'POST /exercises/{exercise}/quizzes/{quiz}': (call) => own.quiz(call),
    'POST /language': (call) => own.language(call),
    'GET /class': () => all.state(),
    'POST /messages': (call) => all.message(call),
    'POST /locks': (call) => all.lock(call),
    'POST /faults': (call) => all.faults(call),
    'POST /participants/{name}/assist': (call) => all.assist(call),
    'POST /participants': (call) => all.join(call),
    'POST /participants/{name}/link': (call) => all.link(call),
    'POST /participants/{name}/withdraw': (call) => all.withdraw(call),
    'GET /results.json': () => ({
      ...{ type: 'application/json', body: JSON.stringify(all.results()), fileName: 'results.json' },
    }),
    'GET /results.csv': () => ({
      ...{ type: 'text/csv; charset=utf-8', body: resultsCsv(all.results()), fileName: 'results.csv' },
    }),
    'POST /end': () => {
      live.change((record) => ({ ...record, endedAt: record.endedAt ?? Date.now() }))
      const state = all.state()
      setImmediate(end)
      return state
    },
  }
  const api = (Object.keys(classRoutes) as ClassRoute[]).map((key): Route => {
    const [method = '', path = ''] = key.split(' ')
    return {
      ...{ method, path: `/api/v1${path}` },
      async answer(call) {
        allow(classRoutes[key], call)
        noteActivity(live, call)
        return toAnswer(await answers[key](call))
      },
    }
  })
  return [...api, ...labRoutes(live)]
}

/** The live views of labs: the participant's own, and for the trainer each of them. */
function labRoutes(live: LiveClass): readonly Route[] {
  const route = (path: string, role: Role, seat: (call: Call) => readonly [string, Audience]): Route => ({
    ...{ method: '*', path: `${path}/*`, mostBytes },
    async answer(call) {
      allow(role, call)
      noteActivity(live, call)
      const [name, audience] = seat(call)
      const { up } = live.participant(name)
      if (up === undefined) throw new HttpError(404, 'no lab runs', 'start an exercise')
      return live.labViews.answer(name, up, audience, call)
    },
  })
  return [
    route('/lab', 'participant', ({ who }) => [who, 'owner']),
    route('/participants/{name}/lab', 'trainer', ({ segments: { name = '' } }) => [
      name,
      live.participant(name).assisted ? 'assistant' : 'reader',
    ]),
  ]
}

function allow(role: Role | 'any', { who }: Call): void {
  if (role === 'any' || (who === trainer) === (role === 'trainer')) return
  throw new HttpError(403, `only ${role === 'trainer' ? 'the trainer' : 'participants'} may do this`)
}

/** The participant did something: pages that only follow events, or read them again, are no activity. */
function noteActivity(live: LiveClass, { who, method }: Call): void {
  if (who === trainer || method === 'GET') return
  live.participant(who).lastActivity = Date.now()
}

function events(live: LiveClass, who: string): Answer {
  if (who === trainer) return { streams: live.trainerStreams, first: [['class', classState(live)]] }
  const participant = live.participant(who)
  return { streams: participant.streams, first: [['me', ownPage(live, participant)]] }
}

function toAnswer(value: unknown): Answer {
  if (isAnswer(value)) return value
  return { type: 'application/json', body: JSON.stringify(value) }
}

function isAnswer(value: unknown): value is Reply | Extract<Answer, { streams: unknown }> {
  if (typeof value !== 'object' || value === null) return false
  return 'streams' in value || ('type' in value && 'body' in value)
}
