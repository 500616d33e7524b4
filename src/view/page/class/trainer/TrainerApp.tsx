import { ownApi } from '../../live/call.js'
import { Confirm, confirmFirst } from '../Confirm.js'
import { Header } from '../Header.js'
import { say } from '../language.js'
import { AddParticipants } from './AddParticipants.js'
import { BigScreen } from './BigScreen.js'
import { ClassExercises } from './ClassExercises.js'
import { Participants } from './Participants.js'
import { SendMessage } from './SendMessage.js'
import { classState, endClass, isBigScreen, newLinks, problem, watched } from './state.js'
import { Watch } from './Watch.js'

/** The page of the trainer. */
export function TrainerApp() {
  const now = classState.value
  const words = say.value
  if (now === undefined) return <p class="loading">{words.loading}</p>
  if (isBigScreen.value) return <BigScreen of={now} />
  const { title, participants, ended } = now
  const here = participants.filter(({ devices }) => devices > 0).length
  const stuck = participants.filter((one) => one.stuck !== undefined).length
  const shown = participants.find(({ name }) => name === watched.value)
  return (
    <>
      <Header title={title} facts={words.summary(here, participants.length, stuck)}>
        <a class="plain" href="#screen">
          {words.bigScreen}
        </a>
        <a class="plain" href={`${ownApi.base}/results.csv`} download>
          {words.results} CSV
        </a>
        <a class="plain" href={`${ownApi.base}/results.json`} download>
          JSON
        </a>
        {ended ? null : (
          <button
            type="button"
            class="plain danger"
            onClick={() => confirmFirst(words.confirmEnd, words.endClass, () => void endClass())}
          >
            {words.endClass}
          </button>
        )}
      </Header>
      <Problem />
      {shown === undefined ? (
        <main class="trainer">
          <div class="people">
            <Participants of={now} />
            <AddParticipants />
          </div>
          <div class="side" tabIndex={0} role="group" aria-label={words.exercises}>
            <SendMessage of={now} />
            <ClassExercises of={now} />
          </div>
        </main>
      ) : (
        <Watch participant={shown} exercises={now.exercises} />
      )}
      <Confirm />
    </>
  )
}

/** What failed, and links that were made. */
function Problem() {
  const made = newLinks.value
  return (
    <>
      {problem.value === '' ? null : (
        <p class="bad banner" role="alert">
          {problem.value}
        </p>
      )}
      {made === undefined ? null : (
        <div class="banner links" role="status">
          <ul>
            {made.links.map(({ name, url }) => (
              <li key={name}>
                {say.value.linkOf(name)}: <code>{url}</code>
              </li>
            ))}
            {made.warning === undefined ? null : <li class="bad">{made.warning}</li>}
          </ul>
          <button type="button" class="plain" onClick={() => (newLinks.value = undefined)}>
            {say.value.close}
          </button>
        </div>
      )}
    </>
  )
}
