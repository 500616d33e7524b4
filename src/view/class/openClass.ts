import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { ControlGroups } from '../../host/groups/controlGroups.js'
import { findHolders, holds, stopHolder } from '../../host/holders.js'
import { createEventStreams, type ServerEvent } from '../../host/view/eventStreams.js'
import { HttpError } from '../../host/view/httpError.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { findUpLabs, upLabNow } from '../../up/upLab.js'
import { languageOf, type ClassRecord, type ClassStore } from '../../workshop/class/classRecord.js'
import { openWorkshop } from '../../workshop/workshop.js'
import type { LivePageCode } from '../live/livePage.js'
import { classState } from './classState.js'
import { textsOf } from './exerciseView.js'
import { createLabViews } from './labViews.js'
import type { LiveClass } from './liveClass.js'
import { ownPage } from './ownPage.js'
import { createParticipant, type Participant } from './participant.js'

/** Changes within this time are one event of the trainer's page, in milliseconds. */
const togetherMs = 100
/** How often ended labs are noticed, in milliseconds. */
const lookEveryMs = 1000
const mostTrainerStreams = 16

/** Serves a class that is kept in a store: finds the labs that run already. */
export async function openClass(
  store: ClassStore,
  first: ClassRecord,
  exercises: readonly Exercise[],
  code: LivePageCode,
  signal: AbortSignal,
  groups?: ControlGroups,
): Promise<LiveClass> {
  let record = first
  const found = await Promise.all(
    first.participants.map(async ({ name }) => createParticipant(name, (await findUpLabs(name)).at(-1))),
  )
  const participants = new Map(found.map((one) => [one.name, one]))
  const trainerStreams = createEventStreams(mostTrainerStreams)
  const titlesOf = (lab: string) => {
    const exercise = exercises.find(({ name }) => name === lab)
    return exercise && textsOf(exercise, ({ title }) => title)
  }
  const labViews = createLabViews(code, Date.now, titlesOf, groups)
  const limit = pLimit(Math.max(2, availableParallelism()))
  let pending: NodeJS.Timeout | undefined
  const notifyTrainer = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      if (trainerStreams.count > 0) trainerStreams.send(['class', classState(live)])
    }, togetherMs)
  }
  const notify = (participant: Participant, events: readonly ServerEvent[]) => {
    if (participant.streams.count > 0) events.forEach((event) => participant.streams.send(event))
  }
  const timer = setInterval(() => {
    for (const participant of participants.values())
      if (participant.up !== undefined && !holds(participant.up.holder)) {
        participant.up = undefined
        live.changed(participant)
      }
    // who is stuck depends on the time
    notifyTrainer()
    void labViews.closeIdle()
  }, lookEveryMs)
  const live: LiveClass = {
    ...{ exercises, participants, labViews, trainerStreams, signal },
    record: () => record,
    change(act) {
      record = act(record)
      store.save(record)
    },
    start: (work) => limit(work),
    workshopOf: ({ name }) => ({
      ...openWorkshop(name, languageOf(record, name) ?? 'en'),
      ...(groups === undefined ? {} : { onHolder: (pid) => groups.add(name, pid) }),
    }),
    participant(name) {
      const participant = participants.get(name)
      if (participant === undefined) throw new HttpError(404, `there is no participant "${name}"`)
      return participant
    },
    exercise(name) {
      const exercise = exercises.find((one) => one.name === name)
      if (exercise === undefined) throw new HttpError(404, `this class has no exercise "${name}"`)
      return exercise
    },
    async labOf(participant) {
      const { up } = participant
      const now = up && (await upLabNow(up))
      return now ?? (up !== undefined && holds(up.holder) ? up : undefined)
    },
    changed(participant, exercise) {
      const events: ServerEvent[] = [['me', ownPage(live, participant)]]
      notify(participant, exercise === undefined ? events : [...events, ['exercise', { name: exercise }]])
      notifyTrainer()
    },
    allChanged() {
      for (const participant of participants.values())
        notify(participant, [['me', ownPage(live, participant)]])
      notifyTrainer()
    },
    async removeLabs(participant, reason) {
      participant.up = undefined
      await labViews.close(participant.name, reason)
      await Promise.all(findHolders(participant.name).map(stopHolder))
    },
    join(names) {
      for (const name of names) participants.set(name, createParticipant(name, undefined))
      notifyTrainer()
    },
    async disconnect({ name, streams }) {
      // pages that connect again see that they have no session
      streams.disconnect()
      await labViews.close(name, 'the link of this participant was withdrawn')
      notifyTrainer()
    },
    async stop(reason, isOver) {
      clearInterval(timer)
      clearTimeout(pending)
      const streams = [trainerStreams, ...[...participants.values()].map((one) => one.streams)]
      if (isOver) streams.forEach((one) => one.send(['end', { reason }]))
      await Promise.all([...participants.keys()].map((name) => labViews.close(name, reason)))
      return streams
    },
  }
  return live
}
