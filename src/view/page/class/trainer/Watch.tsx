import { useEffect, useState } from 'preact/hooks'
import type { ExercisePlace } from '../../../class/api.js'
import type { ClassExercise, ParticipantState } from '../../../class/trainerApi.js'
import type { LiveLab } from '../../../live/api.js'
import { apiAt } from '../../live/call.js'
import { FailedChecks } from '../FailedChecks.js'
import { inLanguage, say } from '../language.js'
import { Workspace } from '../workspace/Workspace.js'
import { problem, setAssist, watched } from './state.js'

interface WatchProps {
  readonly participant: ParticipantState
  readonly exercises: readonly ClassExercise[]
}

/** The lab of a participant: read-only until the trainer assists. */
export function Watch({ participant, exercises }: WatchProps) {
  const { name, assisted, running, exercise, exerciseStartedAt = 0, lastCheck } = participant
  const words = say.value
  const path = `/participants/${encodeURIComponent(name)}/lab/`
  const title = exercises.find((one) => one.name === exercise)?.title
  const places = usePlaces(path, `${exercise} ${exerciseStartedAt} ${String(assisted && running)}`)
  return (
    <main class="watch">
      <div class="heading">
        <button type="button" class="plain" onClick={() => (watched.value = undefined)}>
          ← {words.backToClass}
        </button>
        <h2>
          {words.viewOf(name)} <span class="mute">{title === undefined ? '' : inLanguage(title)}</span>
        </h2>
        <span class={assisted ? 'badge' : 'mute'}>{assisted ? words.assisting : words.readOnly}</span>
        <button
          type="button"
          class="plain"
          disabled={!running}
          onClick={() => void setAssist(name, !assisted)}
        >
          {assisted ? words.assistEnd : words.assist}
        </button>
      </div>
      {running && lastCheck?.solved === false ? (
        <section class="last-check" aria-label={words.checks}>
          <p class="bad">{words.failedChecks(lastCheck.failed.length, lastCheck.all)}</p>
          <FailedChecks check={lastCheck} />
        </section>
      ) : null}
      {running ? (
        <Workspace
          path={path}
          labKey={`${name} ${exercise} ${exerciseStartedAt}`}
          title={name}
          places={places}
          readOnly={!assisted}
        />
      ) : (
        <p class="no-lab mute">{words.noLab}</p>
      )}
    </main>
  )
}

/** The places of the lab at a path; read again with another key. */
function usePlaces(path: string, key: string): readonly ExercisePlace[] {
  const [places, setPlaces] = useState<readonly ExercisePlace[]>([])
  useEffect(() => {
    apiAt(`${path}api/v1`)
      .call<LiveLab>('/lab')
      .then(
        (lab) =>
          setPlaces(Object.entries(lab.places).map(([netns, { kind, name }]) => ({ netns, kind, name }))),
        ({ message }: Error) => (problem.value = message),
      )
  }, [path, key])
  return places
}
