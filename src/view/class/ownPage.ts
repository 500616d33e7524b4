import { version } from '../../version.js'
import { languageOf } from '../../workshop/class/classRecord.js'
import { trainerName } from '../../workshop/class/newClass.js'
import type { Me } from './api.js'
import { exerciseSummary } from './exerciseView.js'
import type { LiveClass } from './liveClass.js'
import type { Participant } from './participant.js'

/** What a participant's page shows. */
export function ownPage(live: LiveClass, participant: Participant): Me {
  const { name, up, assisted } = participant
  const record = live.record()
  const progress = live.workshopOf(participant).progress()
  return {
    ...{ vethlab: version(), role: 'participant', name, classTitle: record.title, assisted },
    language: languageOf(record, name),
    exercises: live.exercises.map((one) => exerciseSummary(one, progress, !record.locked.includes(one.name))),
    current: progress.current,
    lab: up && { exercise: up.lab, startedAt: up.startedAt },
    messages: record.messages.filter(({ to }) => to === undefined || to === name),
  }
}

/** What the trainer's page shows of itself. */
export function trainersOwnPage(live: LiveClass): Me {
  const { title, messages } = live.record()
  return {
    ...{ vethlab: version(), role: 'trainer', name: trainerName, classTitle: title, assisted: false },
    ...{ exercises: [], messages },
  }
}
