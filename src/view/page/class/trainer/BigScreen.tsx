import type { ClassState, ParticipantState } from '../../../class/trainerApi.js'
import { inLanguage, say } from '../language.js'
import { spanOf } from './order.js'
import { now } from './state.js'

const signs = { new: '', started: '◐', solved: '✓' } as const

/** For a projector: who has solved what; no reasons, hints or links. */
export function BigScreen({
  of: { title, startedAt, participants, exercises, messages },
}: {
  readonly of: ClassState
}) {
  const words = say.value
  const solved = participants.reduce((sum, one) => sum + one.solved, 0)
  const { amount, unit } = spanOf(now.value - startedAt)
  const last = messages.findLast(({ to }) => to === undefined)
  return (
    <main class="big-screen">
      <header>
        <h1>{title}</h1>
        <p>{words.solvedTotal(solved)}</p>
        <p>{words.elapsed(amount, unit)}</p>
        <a class="plain" href="#">
          {words.endBigScreen}
        </a>
      </header>
      {last === undefined ? null : <p class="announcement">{last.text}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={words.participants}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.participant}</th>
              {exercises.map(({ name, title: text }, index) => (
                <th key={name} scope="col" title={inLanguage(text)}>
                  {index + 1}
                </th>
              ))}
              <th scope="col">{words.progress}</th>
            </tr>
          </thead>
          <tbody>
            {participants.map((one) => (
              <Row key={one.name} participant={one} exercises={exercises} />
            ))}
          </tbody>
        </table>
      </div>
      <ol class="key">
        {exercises.map(({ name, title: text, solved: by }) => (
          <li key={name}>
            {inLanguage(text)} <b>{by}</b>
          </li>
        ))}
      </ol>
    </main>
  )
}

interface RowProps {
  readonly participant: ParticipantState
  readonly exercises: ClassState['exercises']
}

function Row({ participant: { name, states, solved, exercise }, exercises }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {exercises.map((one) => {
        const state = states[one.name] ?? 'new'
        return (
          <td key={one.name} class={`${state} ${one.name === exercise ? 'current' : ''}`}>
            <span role="img" aria-label={say.value.states[state]}>
              {signs[state]}
            </span>
          </td>
        )
      })}
      <td class="number">
        <b>{solved}</b>
      </td>
    </tr>
  )
}
