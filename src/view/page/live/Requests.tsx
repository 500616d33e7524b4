import type { RequestRun } from '../../live/api.js'
import { pane, requests, showRequest, shownRequest } from './state.js'

/** The requests of all browsers, newest first; choosing one shows its path. */
export function Requests() {
  if (requests.value.length === 0) return <p class="mute">No request was sent yet.</p>
  return (
    <ol class="requests" aria-label="Requests of all browsers">
      {requests.value.toReversed().map((run) => (
        <li key={run.id} class={run.id === shownRequest.value ? 'shown' : ''}>
          <button
            type="button"
            class="step"
            aria-current={run.id === shownRequest.value ? 'true' : undefined}
            onClick={() => {
              pane.value = 'path'
              showRequest(run.id)
            }}
          >
            <span>
              {run.request.from} → {run.request.to}
            </span>
            <small class={'error' in (run.result ?? {}) ? 'bad' : 'mute'}>{stateOf(run)}</small>
          </button>
        </li>
      ))}
    </ol>
  )
}

function stateOf({ request: { protocol, predict = false }, result }: RequestRun): string {
  const name = `${protocol.toUpperCase()} · ${predict ? 'predicted' : 'sent'}`
  if (result === undefined) return `${name} · running`
  if ('error' in result) return `${name} · ${result.error}`
  const { outcome, differences } = result
  const found = differences.length === 0 ? '' : ` · ${differences.length} differences from the kernel`
  return `${name}${outcome === undefined ? '' : ` · ${outcome}`}${found}`
}
