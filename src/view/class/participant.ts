import pLimit from 'p-limit'
import { createEventStreams, type EventStreams } from '../../host/view/eventStreams.js'
import type { UpLab } from '../../up/upLab.js'

/** A participant while the class is served. */
export interface Participant {
  readonly name: string
  /** Of the participant's pages. */
  readonly streams: EventStreams
  /** Runs actions of this participant one after the other. */
  readonly act: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** The lab that runs, as it was started. */
  up: UpLab | undefined
  lastActivity: number | undefined
  assisted: boolean
  problem: string | undefined
}

/** Pages of one participant that follow the events. */
const mostStreams = 8

/** A participant whose lab may run already. */
export function createParticipant(name: string, up: UpLab | undefined): Participant {
  const one = pLimit(1)
  return {
    ...{ name, streams: createEventStreams(mostStreams), act: (work) => one(work) },
    ...{ up, lastActivity: undefined, assisted: false, problem: undefined },
  }
}
