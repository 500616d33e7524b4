import { useEffect } from 'preact/hooks'
import { Confirm } from '../Confirm.js'
import { connection } from '../follow.js'
import { Header } from '../Header.js'
import { say, inLanguage } from '../language.js'
import { notice } from '../runCommand.js'
import { Workspace } from '../workspace/Workspace.js'
import { ExerciseList } from './ExerciseList.js'
import { ExercisePane } from './ExercisePane.js'
import { Messages } from './Messages.js'
import { exercise, me, nextExercise, runningExercise, setLanguage, showExercise, shown } from './state.js'

/** The page of a participant: the exercise on the left, its lab on the right. */
export function ParticipantApp() {
  const now = me.value
  if (now === undefined) return <p class="loading">{say.value.loading}</p>
  const { exercises, name, classTitle, assisted } = now
  const solved = exercises.filter(({ state }) => state === 'solved').length
  return (
    <>
      <Header
        title={classTitle}
        facts={`${name} · ${say.value.solvedOf(solved, exercises.length)}`}
        onLanguage={setLanguage}
      >
        {assisted ? (
          <b class="tag" role="status">
            {say.value.assisted}
          </b>
        ) : null}
      </Header>
      <Messages messages={now.messages} />
      <div class="participant">
        <nav class="steps" aria-label={say.value.exercises}>
          {shown.value === undefined ? <ExerciseList /> : <ExercisePane />}
        </nav>
        <main>
          <Lab />
        </main>
      </div>
      <Notice />
      <Confirm />
    </>
  )
}

/** The lab that runs. */
function Lab() {
  const now = me.value
  const { lab } = now ?? {}
  const view = exercise.value
  const running = runningExercise.value
  if (lab === undefined || running === undefined || connection.value === 'ended') return <NoLab />
  const places = view?.name === running.name && view.running ? view.places : placesOfLab.get(labKeyOf(lab))
  if (view?.name === running.name && view.running) placesOfLab.set(labKeyOf(lab), view.places)
  return (
    <Workspace
      path="/lab/"
      labKey={labKeyOf(lab)}
      title={inLanguage(running.title)}
      places={places ?? []}
      readOnly={false}
    />
  )
}

/** Before a lab runs: what to do next. */
function NoLab() {
  const next = nextExercise.value
  return (
    <div class="no-lab">
      {shown.value !== undefined || next === undefined ? null : (
        <button type="button" class="primary" onClick={() => showExercise(next.name)}>
          {say.value.nextStep[next.state]}: {inLanguage(next.title)}
        </button>
      )}
      <p class="mute">{say.value.firstSteps}</p>
    </div>
  )
}

/** Places of labs: they stay while another exercise is shown than that of the lab. */
const placesOfLab = new Map<string, NonNullable<typeof exercise.value>['places']>()

function labKeyOf({
  exercise,
  startedAt,
}: {
  readonly exercise: string
  readonly startedAt: number
}): string {
  return `${exercise} ${startedAt}`
}

/** What a command has done that no terminal shows; for a few seconds. */
function Notice() {
  const text = notice.value
  useEffect(() => {
    const timer = setTimeout(() => (notice.value = ''), 6000)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class={`notice ${text === '' ? '' : 'shown'}`} role="status">
      {text}
    </p>
  )
}
