import { useEffect, useRef, useState } from 'preact/hooks'
import { PlaceSelect } from '../PlaceSelect.js'
import { chosenPlace, connection, lab } from '../state.js'
import { screenColours } from './screen.js'
import { isRunning, newSession, session } from './session.js'

/** A shell in a node, pod or client. */
export function TerminalPane() {
  const now = lab.value
  const [place, setPlace] = useState<string>()
  const [error, setError] = useState('')
  if (now === undefined) return null
  if (now.readOnly) return <p class="mute">This page is read-only: it opens no terminals.</p>
  const wanted = place ?? session.value?.place ?? chosenPlace.value
  const open = () => {
    setError('')
    if (wanted === undefined) return
    newSession(wanted).catch(({ message }: Error) => setError(message))
  }
  const current = session.value
  return (
    <section class="terminal" aria-label="Terminal">
      <div class="fields">
        <PlaceSelect lab={now} value={wanted} onChoose={setPlace} />
        <button
          type="button"
          class="plain"
          disabled={connection.value !== 'open' || wanted === undefined}
          onClick={open}
        >
          {current === undefined ? 'Open a shell' : 'Open a new shell'}
        </button>
        {isRunning.value ? (
          <button type="button" class="plain" onClick={() => current?.close()}>
            Close
          </button>
        ) : null}
        {current === undefined ? null : (
          <label class="check">
            <input
              type="checkbox"
              onChange={({ currentTarget }) => current.screen.readAloud(currentTarget.checked)}
            />
            For screen readers
          </label>
        )}
      </div>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {current === undefined ? (
        <p class="mute">
          The shell is that of `vethlab shell`: root of the lab, in the network namespace of the place.
        </p>
      ) : (
        <>
          <p class="mute" role="status">
            {current.place}:{' '}
            {isRunning.value ? 'Tab goes to the shell; F6 leaves it.' : 'the shell has ended.'}
          </p>
          <Shown key={current.place} onError={setError} />
        </>
      )}
    </section>
  )
}

/** The screen of the session; it stays when this pane goes. */
function Shown({ onError }: { readonly onError: (message: string) => void }) {
  const room = useRef<HTMLDivElement>(null)
  const current = session.value
  useEffect(() => {
    if (room.current === null || current === undefined) return
    const { screen } = current
    const isNew = !screen.element.hasChildNodes()
    room.current.append(screen.element)
    screen.show()
    screen.onLeave(() => room.current?.closest('section')?.querySelector<HTMLElement>('select')?.focus())
    if (isNew)
      current.start().then(
        () => screen.focus(),
        ({ message }: Error) => onError(message),
      )
    const sizes = new ResizeObserver(() => screen.show())
    sizes.observe(room.current)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => screen.colour(screenColours())
    scheme.addEventListener('change', recolour)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', recolour)
      screen.element.remove()
    }
  }, [current])
  return <div ref={room} class="room" />
}
