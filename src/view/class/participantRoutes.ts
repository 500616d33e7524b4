import * as z from 'zod'
import { findHolders } from '../../host/holders.js'
import { HttpError } from '../../host/view/httpError.js'
import type { Call } from '../../host/view/routes.js'
import type { Exercise } from '../../lab/workshop/types.js'
import { languages } from '../../text/language.js'
import { answerQuiz } from '../../workshop/answerQuiz.js'
import { checkExercise, showHint, showSolution } from '../../workshop/checkExercise.js'
import { restoreCheckpoint, saveCheckpoint } from '../../workshop/checkpoint/checkpoint.js'
import { resetExercise, startExercise, type StartedExercise } from '../../workshop/startExercise.js'
import { begunExercise } from '../../workshop/workshop.js'
import { readJson } from '../live/readJson.js'
import type { CheckResult, ExerciseView, Me, QuizResult } from './api.js'
import { checkResult, exerciseDetails, exerciseSummary, quizResult, quizzesIn } from './exerciseView.js'
import type { LiveClass } from './liveClass.js'
import { ownPage } from './ownPage.js'
import type { Participant } from './participant.js'

/** What participants can do; each function is the answer of a route in api.ts. */
export interface ParticipantAnswers {
  view(call: Call): Promise<ExerciseView>
  start(call: Call): Promise<ExerciseView>
  reset(call: Call): Promise<ExerciseView>
  save(call: Call): Promise<ExerciseView>
  restore(call: Call): Promise<ExerciseView>
  check(call: Call): Promise<CheckResult>
  hint(call: Call): Promise<ExerciseView>
  solution(call: Call): Promise<ExerciseView>
  quiz(call: Call): Promise<QuizResult>
  language(call: Call): Promise<Me>
}

/** The answers for participants of a class. */
export function participantAnswers(live: LiveClass): ParticipantAnswers {
  const of = ({ who, segments: { exercise = '' } }: Call) => {
    const participant = live.participant(who)
    const found = live.exercise(exercise)
    if (live.record().locked.includes(found.name))
      throw new HttpError(403, `the trainer has locked the exercise "${found.name}"`)
    return { participant, exercise: found, workshop: live.workshopOf(participant) }
  }
  const viewOf = async (participant: Participant, exercise: Exercise): Promise<ExerciseView> => {
    const progress = live.workshopOf(participant).progress()
    const up = participant.up?.lab === exercise.name ? await live.labOf(participant) : undefined
    return {
      ...exerciseSummary(exercise, progress, true),
      ...exerciseDetails(exercise, progress.exercises[exercise.name], up),
    }
  }
  /** Starts a lab, after which no other lab of the participant runs. */
  const begin = async (call: Call, act: (exercise: Exercise) => Promise<Pick<StartedExercise, 'up'>>) => {
    const { participant, exercise } = of(call)
    return participant.act(async () => {
      try {
        if (findHolders(participant.name).some(({ lab }) => lab !== exercise.name))
          await live.removeLabs(participant, 'another exercise was started')
        const { up } = await live.start(() => act(exercise))
        participant.up = up
        participant.problem = undefined
      } catch (error) {
        participant.problem = error instanceof Error ? error.message : String(error)
        throw error
      } finally {
        live.changed(participant, exercise.name)
      }
      return viewOf(participant, exercise)
    })
  }
  /** Changes the progress of a participant. */
  const help = async (call: Call, act: typeof showHint | typeof showSolution) => {
    const { participant, exercise, workshop } = of(call)
    act(workshop, exercise.name)
    live.changed(participant, exercise.name)
    return viewOf(participant, exercise)
  }
  return {
    view(call) {
      const { participant, exercise } = of(call)
      return viewOf(participant, exercise)
    },
    start: (call) => begin(call, ({ directory }) => startExercise(of(call).workshop, directory, live.signal)),
    reset: (call) => begin(call, ({ name }) => resetExercise(of(call).workshop, name, live.signal)),
    save(call) {
      const { participant, exercise, workshop } = of(call)
      return participant.act(async () => {
        await saveCheckpoint(workshop, exercise.name)
        live.changed(participant, exercise.name)
        return viewOf(participant, exercise)
      })
    },
    async restore(call) {
      const problems: string[] = []
      const view = await begin(call, async ({ name }) => {
        const restored = await restoreCheckpoint(of(call).workshop, name, live.signal)
        problems.push(...restored.problems)
        return restored
      })
      if (problems.length > 0) throw new HttpError(409, `not restored: ${problems.join('; ')}`)
      return view
    },
    check(call) {
      const { participant, exercise, workshop } = of(call)
      return participant.act(async () => {
        const { attempt } = await checkExercise(workshop, exercise.name)
        live.changed(participant, exercise.name)
        if (attempt.lastCheck === undefined) throw new Error('the check was not recorded')
        return checkResult(exercise, attempt.lastCheck)
      })
    },
    hint: (call) => help(call, showHint),
    solution: (call) => help(call, showSolution),
    async quiz(call) {
      const { participant, exercise, workshop } = of(call)
      begunExercise(workshop, exercise.name)
      const { quiz = '' } = call.segments
      const asked = quizzesIn(exercise, 'en').find(({ name }) => name === quiz)
      if (asked === undefined) throw new HttpError(404, `there is no question "${quiz}"`)
      const options = asked.options.length
      const { answer } = readJson(
        z.strictObject({
          answer: z
            .int()
            .min(0)
            .max(options - 1),
        }),
        await call.body(),
      )
      const right = answerQuiz(workshop, exercise, asked, answer)
      live.changed(participant, exercise.name)
      return quizResult(exercise, quiz, { answer, right })
    },
    async language(call) {
      const { language } = readJson(z.strictObject({ language: z.enum(languages) }), await call.body())
      const participant = live.participant(call.who)
      live.change((record) => ({
        ...record,
        participants: record.participants.map((one) => (one.name === call.who ? { ...one, language } : one)),
      }))
      live.changed(participant)
      return ownPage(live, participant)
    },
  }
}
