import { flow } from '../exchange.js'
import { Moment } from '../Moment.js'
import { Timeline } from '../Timeline.js'
import { usePlaying } from '../usePlaying.js'
import { ObjectsPane } from './objects/ObjectsPane.js'
import { Packets } from './Packets.js'
import { PathPane } from './PathPane.js'
import { PlacePane } from './PlacePane.js'
import { RequestBar } from './RequestBar.js'
import { Requests } from './Requests.js'
import { RulesPane } from './rules/RulesPane.js'
import { connection, ending, lab, pane } from './state.js'
import { Tabs, type Pane } from './Tabs.js'
import { TerminalPane } from './terminal/TerminalPane.js'

const panes: readonly Pane[] = [
  { id: 'path', label: 'Path', Component: PathPane, hasTopology: true },
  { id: 'rules', label: 'Rules', Component: RulesPane },
  { id: 'place', label: 'Place', Component: PlacePane, hasTopology: true },
  { id: 'objects', label: 'Objects', Component: ObjectsPane },
  { id: 'packets', label: 'Packets', Component: Packets, hasTopology: true },
  { id: 'terminal', label: 'Terminal', Component: TerminalPane },
]

/** The page of a running lab. */
export function LiveApp() {
  usePlaying()
  const now = lab.value
  const hasPath = flow.value !== undefined && pane.value === 'path'
  return (
    <>
      <header class="bar">
        <span class="brand">vethlab</span>
        {now === undefined ? null : (
          <span class="facts">
            <b>{now.lab}</b>
            <span class="mute">
              {now.mode === undefined ? '' : ` · ${now.mode}`} · {now.backend} · {now.families.join(', ')}
            </span>
          </span>
        )}
        <span class="grow" />
        <Connected />
      </header>
      {now === undefined ? (
        <main class="overview">
          <p>Waiting for the lab…</p>
        </main>
      ) : (
        <div class={`lab live ${hasPath ? '' : 'without-path'}`}>
          <nav class="steps" aria-label="Requests">
            <h1>{now.title}</h1>
            <RequestBar lab={now} />
            <Requests />
          </nav>
          <main class="centre">
            <Tabs panes={panes} shown={pane.value} onShow={(id) => (pane.value = id)} />
          </main>
          {hasPath ? (
            <>
              <Moment />
              <Timeline />
            </>
          ) : null}
        </div>
      )}
    </>
  )
}

const states = {
  connecting: 'Connecting…',
  open: 'Live',
  lost: 'Connection lost. Reconnecting…',
  ended: 'The lab has ended',
} as const

/** Whether what the page shows is current. */
function Connected() {
  const state = connection.value
  const isGood = state === 'open' || state === 'connecting'
  return (
    <span class={`connection ${isGood ? 'mute' : 'bad'}`} role="status">
      {states[state]}
      {state === 'ended' && ending.value !== '' ? `: ${ending.value}` : ''}
    </span>
  )
}
