import type { EventStreams } from '../../host/view/eventStreams.js'
import type { Exercise } from '../../lab/workshop/types.js'
import type { UpLab } from '../../up/upLab.js'
import type { ClassRecord } from '../../workshop/class/classRecord.js'
import type { Workshop } from '../../workshop/workshop.js'
import type { LabViews } from './labViews.js'
import type { Participant } from './participant.js'

/** A class while it is served. */
export interface LiveClass {
  /** As it was saved last. */
  readonly record: () => ClassRecord
  readonly change: (act: (record: ClassRecord) => ClassRecord) => void
  readonly exercises: readonly Exercise[]
  readonly participants: ReadonlyMap<string, Participant>
  readonly labViews: LabViews
  readonly trainerStreams: EventStreams
  /** Aborts when the server ends. */
  readonly signal: AbortSignal
  /** Starts labs, a few at a time. */
  readonly start: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly workshopOf: (participant: Participant) => Workshop
  /** The participant with a name. Throws HttpError. */
  readonly participant: (name: string) => Participant
  /** The exercise with a name. Throws HttpError. */
  readonly exercise: (name: string) => Exercise
  /** The running lab of a participant, as it is now. */
  readonly labOf: (participant: Participant) => Promise<UpLab | undefined>
  /** Has the pages of a participant, and of the trainer, follow a change. */
  readonly changed: (participant: Participant, exercise?: string) => void
  /** Has the pages of all participants, and of the trainer, follow a change. */
  readonly allChanged: () => void
  /** Removes the lab of a participant. */
  readonly removeLabs: (participant: Participant, reason: string) => Promise<void>
  /** Serves further participants of the record. */
  readonly join: (names: readonly string[]) => void
  /** Disconnects the pages and terminals of a participant whose sessions have ended; the lab continues. */
  readonly disconnect: (participant: Participant) => Promise<void>
  /** Ends timers, views and streams. Pages connect again, unless the class is over. */
  readonly stop: (reason: string, isOver: boolean) => Promise<readonly EventStreams[]>
}
