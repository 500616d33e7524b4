import type { LiveFinding } from '../../live/api.js'
import { connection, pane, sendRequest } from './state.js'
import { say } from '../texts/say.js'
import { sentence } from '../texts/sentence.js'

/** What is wrong in a cluster that was read; choosing one shows the path of a request that fails by it. */
export function Findings({ found }: { readonly found: readonly LiveFinding[] }) {
  return (
    <section class="findings" aria-label={say.value.findings}>
      <h2>{say.value.findings}</h2>
      {found.length === 0 ? <p class="mute">{say.value.noFinding}</p> : null}
      <ol>
        {found.map((one, index) => (
          <li key={index}>
            <Finding of={one} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Finding({ of: { isRisk, says, at, affects, request, fixes } }: { readonly of: LiveFinding }) {
  const show = () => {
    if (request === undefined) return
    pane.value = 'path'
    void sendRequest(request).catch(() => undefined)
  }
  return (
    <>
      <p>
        <span class={isRisk ? 'badge' : 'badge bad'}>{isRisk ? say.value.risk : say.value.problem}</span>{' '}
        {sentence.value(says)}
      </p>
      {affects === 0 ? null : <p class="mute">{say.value.failing(affects)}</p>}
      {at.length === 0 ? null : <code>{at.join(', ')}</code>}
      {fixes.length === 0 ? null : <h3>{say.value.whatHelps}</h3>}
      {fixes.map(({ says: fix, command }, index) => (
        <p key={index}>
          {sentence.value(fix)}
          {command === undefined ? null : <code>{command}</code>}
        </p>
      ))}
      {request === undefined ? null : (
        <button type="button" class="plain" disabled={connection.value !== 'open'} onClick={show}>
          {say.value.showPath}
        </button>
      )}
    </>
  )
}
