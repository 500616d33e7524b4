import type { ClassState, ParticipantState } from '../../../class/trainerApi.js'
import { inLanguage, say } from '../language.js'
import { FailedChecks } from '../FailedChecks.js'
import { inOrderOfNeed, spanOf } from './order.js'
import { messageTo, now, watched } from './state.js'

/** What every participant does, those who need help first. */
export function Participants({ of: { participants, exercises } }: { readonly of: ClassState }) {
  const words = say.value
  return (
    <section class="participants" tabIndex={0} aria-label={words.participants}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.participant}</th>
            <th scope="col">{words.state}</th>
            <th scope="col">{words.exercise}</th>
            <th scope="col" class="number">
              {words.progress}
            </th>
            <th scope="col" class="number" title={words.checksHint}>
              {words.checks}
            </th>
            <th scope="col" class="number">
              {words.hints}
            </th>
            <th scope="col" class="number">
              {words.activity}
            </th>
            <th scope="col">{words.actions}</th>
          </tr>
        </thead>
        <tbody>
          {inOrderOfNeed(participants).map((one) => (
            <Row key={one.name} participant={one} exercises={exercises} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  readonly participant: ParticipantState
  readonly exercises: ClassState['exercises']
}

function Row({ participant, exercises }: RowProps) {
  const words = say.value
  const { name, devices, exercise, exerciseStartedAt, running, solved, checks, hints, solutions } =
    participant
  const { stuck, problem, lastActivity, lastCheck } = participant
  const current = exercises.find((one) => one.name === exercise)
  const since = exerciseStartedAt === undefined ? undefined : spanOf(now.value - exerciseStartedAt)
  return (
    <tr class={problem !== undefined || stuck !== undefined ? 'needs' : devices === 0 ? 'away' : ''}>
      <th scope="row">
        <span
          class={`presence ${devices > 0 ? 'here' : ''}`}
          role="img"
          aria-label={words.online(devices)}
          title={words.online(devices)}
        />
        {name}
      </th>
      <td class="state">
        <StateOf participant={participant} />
      </td>
      <td class="exercise">
        {current === undefined ? '–' : inLanguage(current.title)}
        {running && since !== undefined ? (
          <small class="mute"> · {words.since(since.amount, since.unit)}</small>
        ) : null}
        {problem === undefined ? null : <p class="bad problem">{problem}</p>}
        {stuck === 'failing' && lastCheck?.solved === false ? <FailedChecks check={lastCheck} /> : null}
      </td>
      <td class="number" data-label={words.progress}>
        {solved}
        <span class="mute">/{exercises.length}</span>
      </td>
      <td class="number" data-label={words.checks}>
        <span class={checks.passed > 0 ? 'good' : 'mute'}>{checks.passed} ✓</span>{' '}
        <span class={checks.failed > 0 ? 'bad' : 'mute'}>{checks.failed} ✗</span>
      </td>
      <td class="number" data-label={words.hints}>
        {hints}
        {solutions > 0 ? <small class="mute solutions">+ {words.solutionsSeen(solutions)}</small> : null}
      </td>
      <td class="number" data-label={words.activity}>
        {lastActivity === undefined ? words.never : agoText(now.value - lastActivity)}
      </td>
      <td class="row-actions">
        <button
          type="button"
          class="plain"
          aria-label={`${words.view}: ${name}`}
          disabled={!running}
          onClick={() => (watched.value = name)}
        >
          {words.view}
        </button>
        <button
          type="button"
          class="plain"
          aria-label={`${words.message}: ${name}`}
          onClick={() => {
            messageTo.value = name
            document.querySelector<HTMLElement>('.send-message textarea')?.focus()
          }}
        >
          {words.message}
        </button>
      </td>
    </tr>
  )
}

function StateOf({ participant }: { readonly participant: ParticipantState }) {
  const words = say.value
  const { problem, stuck, assisted } = participant
  return (
    <>
      {problem === undefined ? null : <b class="badge bad">{words.problemNow}</b>}
      {stuck === undefined ? null : <b class="badge bad">{words.stuck[stuck]}</b>}
      {problem !== undefined || stuck !== undefined ? null : <Progress participant={participant} />}
      {assisted ? <b class="badge">{words.assisting}</b> : null}
    </>
  )
}

/** What a participant who needs no help does. */
function Progress({ participant }: { readonly participant: ParticipantState }) {
  const words = say.value
  const { running, devices, exercise = '', states, lastCheck } = participant
  if (states[exercise] === 'solved') return <span class="good">{words.solvedNow}</span>
  if (!running) return <span class="mute">{devices === 0 ? words.away : words.idle}</span>
  if (lastCheck?.solved !== false) return <span class="mute">{words.works}</span>
  return <span class="mute">{words.failedChecks(lastCheck.failed.length, lastCheck.all)}</span>
}

function agoText(ms: number): string {
  const { amount, unit } = spanOf(ms)
  return unit === 's' && amount < 10 ? say.value.now : say.value.ago(amount, unit)
}
