import { signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { ownApi } from '../call.js'
import { PlaceSelect } from '../PlaceSelect.js'
import { chosenPlace, connection, lab } from '../state.js'
import { newSession, type Session } from './session.js'
import { Shown } from './Shown.js'
import { say } from '../../texts/say.js'

/** The terminal that is open, or was until its shell has ended; panes come and go, it stays. */
const session = signal<Session | undefined>(undefined)

/** A shell in a node, pod or client. */
export function TerminalPane() {
  const now = lab.value
  const [place, setPlace] = useState<string>()
  const [error, setError] = useState('')
  const section = useRef<HTMLElement>(null)
  if (now === undefined) return null
  if (now.readOnly) return <p class="mute">{say.value.noTerminals}</p>
  const wanted = place ?? session.value?.place ?? chosenPlace.value
  const open = () => {
    setError('')
    if (wanted === undefined) return
    session.value?.close()
    session.value?.screen.remove()
    newSession(ownApi, wanted, say.value.terminalOf(wanted)).then(
      (opened) => (session.value = opened),
      ({ message }: Error) => setError(message),
    )
  }
  const current = session.value
  const isRunning = current?.isRunning.value ?? false
  return (
    <section ref={section} class="terminal" aria-label={say.value.terminal}>
      <div class="fields">
        <PlaceSelect lab={now} value={wanted} onChoose={setPlace} />
        <button
          type="button"
          class="plain"
          disabled={connection.value !== 'open' || wanted === undefined}
          onClick={open}
        >
          {current === undefined ? say.value.openShell : say.value.openNewShell}
        </button>
        {isRunning ? (
          <button type="button" class="plain" onClick={() => current?.close()}>
            {say.value.close}
          </button>
        ) : null}
        {current === undefined ? null : (
          <label class="check">
            <input
              type="checkbox"
              onChange={({ currentTarget }) => current.screen.readAloud(currentTarget.checked)}
            />
            {say.value.screenReader}
          </label>
        )}
      </div>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {current === undefined ? (
        <p class="mute">{say.value.shellIs}</p>
      ) : (
        <>
          <p class="mute" role="status">
            {current.place}: {isRunning ? say.value.terminalKeys : say.value.shellEnded}
          </p>
          <Shown
            session={current}
            onError={setError}
            onLeave={() => section.current?.querySelector<HTMLElement>('select')?.focus()}
          />
        </>
      )}
    </section>
  )
}
