import type { Progress } from '../../lab/workshop/progress.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { version } from '../../version.js'
import { stuckReason } from '../../workshop/class/stuck.js'
import type { ClassState, ParticipantState } from './trainerApi.js'
import { checkResult, exerciseSummary, stateOf } from './exerciseView.js'
import type { LiveClass } from './liveClass.js'
import type { Participant } from './participant.js'

/** The class as the trainer sees it. */
export function classState(live: LiveClass): ClassState {
  const { title, startedAt, endedAt, locked, messages } = live.record()
  const participants = [...live.participants.values()].map((one) => ({
    one,
    progress: live.workshopOf(one).progress(),
  }))
  return {
    ...{ vethlab: version(), title, startedAt, messages, ended: endedAt !== undefined },
    participants: participants.map(({ one, progress }) => {
      const current = live.exercises.find(({ name }) => name === progress.current)
      return participantState(one, progress, current, Date.now())
    }),
    exercises: live.exercises.map((exercise) => {
      const { name, faults } = exercise
      const { state: _state, ...summary } = exerciseSummary(
        exercise,
        { exercises: {} },
        !locked.includes(name),
      )
      const attempts = participants.map(({ progress }) => progress.exercises[name])
      return {
        ...summary,
        solved: attempts.filter((attempt) => stateOf(attempt) === 'solved').length,
        running: participants.filter(({ one }) => one.up?.lab === name).length,
        faults: faults.map((fault) => fault.name),
      }
    }),
  }
}

function participantState(
  one: Participant,
  { current, exercises }: Progress,
  exercise: Exercise | undefined,
  now: number,
): ParticipantState {
  const { name, streams, up, lastActivity, assisted, problem } = one
  const attempts = Object.values(exercises)
  const attempt = current === undefined ? undefined : exercises[current]
  const startedAt = attempt && Date.parse(attempt.labStartedAt ?? attempt.startedAt)
  const sum = (pick: (attempt: (typeof attempts)[number]) => number) =>
    attempts.reduce((total, each) => total + pick(each), 0)
  const states = Object.entries(exercises).flatMap(([exercise, each]) => {
    const state = stateOf(each)
    return state === 'new' ? [] : [[exercise, state] as const]
  })
  return {
    ...{ name, devices: streams.count, exercise: current, exerciseStartedAt: startedAt },
    ...{ running: up !== undefined, lastActivity, assisted, problem },
    states: Object.fromEntries(states),
    solved: attempts.filter(({ passedAt }) => passedAt !== undefined).length,
    checks: {
      passed: sum(({ checks }) => checks?.passed ?? 0),
      failed: sum(({ checks }) => checks?.failed ?? 0),
    },
    lastCheck: exercise && attempt?.lastCheck && checkResult(exercise, attempt.lastCheck),
    hints: sum(({ hints }) => hints),
    solutions: attempts.filter(({ sawSolution }) => sawSolution).length,
    stuck: stuckReason(
      {
        running: up !== undefined,
        solved: attempt?.passedAt !== undefined,
        startedAt,
        failedChecks: attempt?.checks?.failed ?? 0,
        lastActivity,
      },
      now,
    ),
  }
}
