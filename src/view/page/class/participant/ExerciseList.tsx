import { groupBy } from '../../../../groupBy.js'
import type { ExerciseSummary } from '../../../class/api.js'
import { inLanguage, say } from '../language.js'
import { me, runningExercise, showExercise } from './state.js'

/** All exercises, by level. */
export function ExerciseList() {
  const { exercises = [] } = me.value ?? {}
  return (
    <>
      <h2 class="list-title">{say.value.exercises}</h2>
      {[...groupBy(exercises, ({ level }) => level)].map(([level, own]) => (
        <section key={level} aria-label={say.value.levels[level]}>
          <h3>{say.value.levels[level]}</h3>
          <ul class="exercises">
            {own.map((one) => (
              <Item key={one.name} exercise={one} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

const signs = { new: '○', started: '◐', solved: '✓' } as const

function Item({ exercise }: { readonly exercise: ExerciseSummary }) {
  const { name, title, state, open, minutes, prerequisites } = exercise
  const { exercises = [] } = me.value ?? {}
  const before = exercises.filter((one) => prerequisites.includes(one.name) && one.state !== 'solved')
  const isRunning = runningExercise.value?.name === name
  const facts = [
    ...(minutes === undefined ? [] : [say.value.minutes(minutes)]),
    open ? say.value.states[state] : say.value.locked,
    ...(isRunning ? [say.value.running] : []),
  ]
  return (
    <li>
      <button type="button" class="step" disabled={!open} onClick={() => showExercise(name)}>
        <span class={`sign ${state}`} aria-hidden="true">
          {open ? signs[state] : '🔒︎'}
        </span>
        <span>
          {inLanguage(title)}
          <small class={isRunning ? 'running' : 'mute'}>{facts.join(' · ')}</small>
          {open && state === 'new' && before.length > 0 ? (
            <small class="mute">
              {say.value.before(before.map((one) => inLanguage(one.title)).join(', '))}
            </small>
          ) : null}
        </span>
      </button>
    </li>
  )
}
