import { useRef } from 'preact/hooks'
import type { ExercisePlace } from '../../../class/api.js'
import { Shown } from '../../live/terminal/Shown.js'
import type { Session } from '../../live/terminal/session.js'
import { say } from '../language.js'
import {
  closeTerminal,
  openTerminal,
  showTerminal,
  shownTerminal,
  terminalOf,
  terminalProblem,
  terminals,
  type TerminalLab,
} from './openTerminals.js'

const order = ['client', 'node', 'pod'] as const

/** Terminals in the places of a lab: a button for each place opens or shows its terminal. */
export function Terminals({ lab }: { readonly lab: TerminalLab }) {
  const section = useRef<HTMLElement>(null)
  const current = shownTerminal.value
  const leave = () => section.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus()
  return (
    <section ref={section} class="terminals terminal" aria-label={say.value.terminal}>
      <div class="terminal-bar">
        {order.map((kind) => (
          <ul key={kind} aria-label={say.value.kinds[kind]}>
            {lab.places
              .filter((place) => place.kind === kind)
              .flatMap((place) => tabsOf(place))
              .map((tab) => (
                <Tab key={`${tab.place.netns} ${tab.number}`} {...{ ...tab, lab, current }} />
              ))}
          </ul>
        ))}
        {current === undefined ? null : (
          <>
            <button
              type="button"
              class="plain"
              title={say.value.another}
              aria-label={say.value.another}
              onClick={() => void openTerminal(lab, current.place)}
            >
              +
            </button>
            <label class="check">
              <input
                type="checkbox"
                onChange={({ currentTarget }) => current.screen.readAloud(currentTarget.checked)}
              />
              {say.value.screenReader}
            </label>
          </>
        )}
        <span class="mute keys" role="status">
          {current === undefined
            ? ''
            : current.isRunning.value
              ? say.value.terminalKeys
              : say.value.terminalEnded}
        </span>
      </div>
      {terminalProblem.value === '' ? null : (
        <p class="bad" role="alert">
          {terminalProblem.value}
        </p>
      )}
      {current === undefined ? (
        <p class="mute empty">{say.value.noTerminal}</p>
      ) : (
        <Shown session={current} onError={(message) => (terminalProblem.value = message)} onLeave={leave} />
      )}
    </section>
  )
}

interface PlaceTab {
  readonly place: ExercisePlace
  /** Of the terminals of its place, from 1. */
  readonly number: number
  readonly session: Session | undefined
}

/** A tab for each terminal of a place; one if it has none. */
function tabsOf(place: ExercisePlace): PlaceTab[] {
  const own = terminals.value.filter((session) => session.place === place.netns)
  const shown: readonly (Session | undefined)[] = own.length === 0 ? [undefined] : own
  return shown.map((session, index) => ({ place, number: index + 1, session }))
}

interface TabProps extends PlaceTab {
  readonly lab: TerminalLab
  readonly current: Session | undefined
}

function Tab({ place, number, session, lab, current }: TabProps) {
  const name = number === 1 ? place.name : `${place.name} ${number}`
  const isShown = session !== undefined && session === current
  const show = () => {
    if (session === undefined) return void terminalOf(lab, place.netns)
    showTerminal(session)
    session.screen.focus()
  }
  return (
    <li class={`${session === undefined ? '' : 'open'} ${isShown ? 'shown' : ''}`}>
      <button type="button" aria-pressed={isShown} title={say.value.kinds[place.kind]} onClick={show}>
        {name}
      </button>
      {session === undefined ? null : (
        <button
          type="button"
          class="close"
          aria-label={say.value.closeTerminal(name)}
          onClick={() => closeTerminal(session)}
        >
          ×
        </button>
      )}
    </li>
  )
}
