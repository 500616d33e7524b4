import { flow } from '../exchange.js'
import { LanguageSwitch } from '../LanguageSwitch.js'
import { Moment } from '../Moment.js'
import { language } from '../language.js'
import { say } from '../texts/say.js'
import { Timeline } from '../Timeline.js'
import { usePlaying } from '../usePlaying.js'
import type { LiveLab } from '../../live/api.js'
import { isFramed, unknownAddress } from './address.js'
import { Findings } from './Findings.js'
import { RequestFlow } from './RequestFlow.js'
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
  { id: 'path', Component: PathPane, Above: RequestFlow, hasTopology: true },
  { id: 'rules', Component: RulesPane },
  { id: 'place', Component: PlacePane, hasTopology: true },
  { id: 'objects', Component: ObjectsPane },
  { id: 'packets', Component: Packets, hasTopology: true },
  { id: 'terminal', Component: TerminalPane },
]

/** A page that has this one in a frame has terminals itself; a cluster that was read has what can be shown of it. */
function panesOf({ findings }: LiveLab): readonly Pane[] {
  const without: readonly string[] =
    findings === undefined ? (isFramed ? ['terminal'] : []) : ['objects', 'packets', 'terminal']
  return panes.filter(({ id }) => !without.includes(id))
}

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
        {isFramed ? null : <LanguageSwitch label={say.value.language} />}
      </header>
      {unknownAddress.value === '' ? null : (
        <p class="bad unknown" role="alert">
          {say.value.unknownAddress(unknownAddress.value)}
        </p>
      )}
      {now === undefined ? (
        <main class="overview">
          <p>{say.value.waiting}</p>
        </main>
      ) : (
        <div class={`lab live ${hasPath ? '' : 'without-path'}`}>
          <nav class="steps" aria-label={say.value.requests}>
            <h1>{now.titles?.[language.value] ?? now.title}</h1>
            {now.findings === undefined ? null : <Findings found={now.findings} />}
            <RequestBar lab={now} />
            <Requests />
          </nav>
          <main class="centre">
            <Tabs panes={panesOf(now)} shown={pane.value} onShow={(id) => (pane.value = id)} />
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

/** Whether what the page shows is current. */
function Connected() {
  const state = connection.value
  const isGood = state === 'open' || state === 'connecting'
  return (
    <span class={`connection ${isGood ? 'mute' : 'bad'}`} role="status">
      {state === 'open' && lab.value?.findings !== undefined
        ? say.value.readOnce
        : say.value.connection[state]}
      {state === 'ended' && ending.value !== '' ? `: ${ending.value}` : ''}
    </span>
  )
}
