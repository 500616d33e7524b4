import { useEffect, useRef } from 'preact/hooks'
import type { ExerciseView } from '../../../class/api.js'
import { connection } from '../follow.js'
import { confirmFirst } from '../Confirm.js'
import { language } from '../../language.js'
import { inLanguage, say } from '../language.js'
import { Commands, Prose } from '../Prose.js'
import { actFirst } from '../runCommand.js'
import { CheckReport } from './CheckReport.js'
import { Quizzes } from './Quizzes.js'
import { act, busy, exercise, nextExercise, problem, runningExercise, showExercise } from './state.js'

/** The exercise that is shown: its task, what can be done, and what was found. */
export function ExercisePane() {
  const view = exercise.value
  return (
    <>
      <button type="button" class="back" onClick={() => showExercise(undefined)}>
        ← {say.value.allExercises}
      </button>
      {view === undefined ? <Problem /> : <Exercise view={view} />}
    </>
  )
}

/** Why the last action failed: below the buttons, where the participant looks. */
function Problem() {
  const place = useRef<HTMLParagraphElement>(null)
  const text = problem.value
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [text])
  if (text === '') return null
  return (
    <p ref={place} class="bad part" role="alert">
      {text}
    </p>
  )
}

function Exercise({ view }: { readonly view: ExerciseView }) {
  const { texts, running, state, hints, solution, lastCheck } = view
  const words = texts[language.value] ?? texts.en
  const { why, remember } = words
  const isSolved = state === 'solved'
  // what to remember answers the questions
  const isAsked = view.quizzes.some(({ answered }) => answered?.right !== true)
  return (
    <article>
      <h2 class="title">{words.title}</h2>
      {view.open ? null : <p class="bad part">{say.value.lockedNow}</p>}
      <Prose text={words.task} />
      {running ? <Actions view={view} /> : <Start view={view} />}
      <Problem />
      {lastCheck === undefined ? null : <CheckReport check={lastCheck} />}
      {state === 'new' ? null : <Quizzes quizzes={view.quizzes} />}
      {isSolved && remember !== undefined && !isAsked ? (
        <section class="part solved">
          <h3>{say.value.remember}</h3>
          <Prose text={remember} />
        </section>
      ) : null}
      {isSolved && isAsked ? <p class="part mute">{say.value.rememberLater}</p> : null}
      {isSolved ? <Next /> : null}
      {words.hints.map((hint, index) => (
        <section key={index} class="part hint">
          <h3>{say.value.hintOf(index + 1, hints.all)}</h3>
          <Prose text={hint} />
        </section>
      ))}
      {solution === undefined ? null : (
        <section class="part">
          <h3>{say.value.solutionSays}</h3>
          <Commands lines={solution} />
          {why === undefined ? null : (
            <>
              <h3>{say.value.why}</h3>
              <Prose text={why} />
            </>
          )}
        </section>
      )}
    </article>
  )
}

function Start({ view: { state, open } }: { readonly view: ExerciseView }) {
  const other = runningExercise.value
  const start = () => void act('start')
  const title = other === undefined ? '' : inLanguage(other.title)
  return (
    <div class="actions">
      <button
        type="button"
        class="primary"
        disabled={!open || busy.value !== undefined || connection.value !== 'open'}
        onClick={() =>
          other === undefined || other.state === 'solved'
            ? start()
            : confirmFirst(say.value.confirmStart(title), say.value.start, start)
        }
      >
        {busy.value === 'start'
          ? say.value.starting
          : state === 'new'
            ? say.value.start
            : say.value.startAgain}
      </button>
    </div>
  )
}

function Actions({ view: { hints, open, solution, checkpointAt } }: { readonly view: ExerciseView }) {
  const isClosed = !open || busy.value !== undefined || connection.value !== 'open'
  const left = hints.all - hints.shown
  const words = say.value
  return (
    <div class="actions">
      <button type="button" class="primary" disabled={isClosed} onClick={() => actFirst('check')}>
        {busy.value === 'check' ? words.checking : words.check}
      </button>
      <button
        type="button"
        class="plain"
        disabled={isClosed || left === 0}
        title={words.hintsLeft(left)}
        onClick={() => actFirst('hint')}
      >
        {words.hint} <span class="mute">{`${hints.shown}/${hints.all}`}</span>
      </button>
      <button
        type="button"
        class="plain"
        disabled={isClosed || solution !== undefined}
        onClick={() => actFirst('solution')}
      >
        {words.solution}
      </button>
      <button type="button" class="plain" disabled={isClosed} onClick={() => actFirst('reset')}>
        {busy.value === 'reset' ? words.resetting : words.reset}
      </button>
      <button
        type="button"
        class="plain"
        disabled={isClosed}
        title={words.saveHolds}
        onClick={() => void act('save')}
      >
        {busy.value === 'save' ? words.saving : words.save}
      </button>
      {checkpointAt === undefined ? null : (
        <button
          type="button"
          class="plain"
          disabled={isClosed}
          title={words.savedAt(timeOf(checkpointAt))}
          onClick={() =>
            confirmFirst(words.confirmRestore(timeOf(checkpointAt)), words.restore, () => void act('restore'))
          }
        >
          {busy.value === 'restore' ? words.restoring : words.restore}
        </button>
      )}
    </div>
  )
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString(language.value, { timeStyle: 'short' })
}

function Next() {
  const next = nextExercise.value
  if (next === undefined) return null
  return (
    <div class="actions">
      <button type="button" class="plain" onClick={() => showExercise(next.name)}>
        {say.value.nextExercise(inLanguage(next.title))}
      </button>
    </div>
  )
}
