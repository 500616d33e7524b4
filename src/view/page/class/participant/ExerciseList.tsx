import { groupBy } from '../../../../groupBy.js'
import type { ExerciseSummary } from '../../../class/api.js'
import { inLanguage, say } from '../language.js'
import { isByLevel } from './nextStep.js'
import { me, nextExercise, runningExercise, showExercise } from './state.js'

/** All exercises: by level, or numbered in the order of the class. */
export function ExerciseList() {
  const { exercises = [] } = me.value ?? {}
  return (
    <>
      <h2 class="list-title">{say.value.exercises}</h2>
      {isByLevel(exercises) ? (
        [...groupBy(exercises, ({ level }) => level)].map(([level, own]) => (
          <section key={level} aria-label={say.value.levels[level]}>
            <h3>{say.value.levels[level]}</h3>
            <ul class="exercises">
              {own.map((one) => (
                <Item key={one.name} exercise={one} />
              ))}
            </ul>
          </section>
        ))
      ) : (
        <section aria-label={say.value.inThisOrder}>
          <h3>{say.value.inThisOrder}</h3>
          <ol class="exercises">
            {exercises.map((one, index) => (
              <Item key={one.name} exercise={one} number={index + 1} />
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

const signs = { new: '○', started: '◐', solved: '✓' } as const

interface ItemProps {
  readonly exercise: ExerciseSummary
  /** In the order of the class. */
  readonly number?: number
}

function Item({ exercise, number }: ItemProps) {
  const { name, title, state, open, minutes, prerequisites, level } = exercise
  const { exercises = [] } = me.value ?? {}
  const words = say.value
  const before = exercises.filter((one) => prerequisites.includes(one.name) && one.state !== 'solved')
  const isRunning = runningExercise.value?.name === name
  const facts = [
    ...(number === undefined ? [] : [words.level(level)]),
    ...(minutes === undefined ? [] : [words.minutes(minutes)]),
    open ? words.states[state] : words.locked,
    ...(isRunning ? [words.running] : []),
  ]
  return (
    <li>
      <button type="button" class="step" disabled={!open} onClick={() => showExercise(name)}>
        <span class={`sign ${state}`} aria-hidden="true">
          {open ? signs[state] : '🔒︎'}
        </span>
        <span>
          {number === undefined ? '' : `${number}. `}
          {inLanguage(title)}
          {nextExercise.value?.name === name ? <b class="badge next">{words.nextStep[state]}</b> : null}
          <small class={isRunning ? 'running' : 'mute'}>{facts.join(' · ')}</small>
          {open && state === 'new' && before.length > 0 ? (
            <small class="mute">{words.before(before.map((one) => inLanguage(one.title)).join(', '))}</small>
          ) : null}
        </span>
      </button>
    </li>
  )
}
