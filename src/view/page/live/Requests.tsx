import type { RequestOutcome, RequestRun } from '../../live/api.js'
import { connection, pane, requests, sendRequest, shownPath, shownRequest, showRequest } from './state.js'
import { say } from '../texts/say.js'
import { sentence } from '../texts/sentence.js'

/** The requests of all browsers, newest first; choosing one shows its path. */
export function Requests() {
  if (requests.value.length === 0) return <p class="mute">{say.value.noRequest}</p>
  return (
    <ol class="requests" aria-label={say.value.allRequests}>
      {requests.value.toReversed().map((run) => {
        const isShown = run.id === shownRequest.value
        return (
          <li key={run.id} class={isShown ? 'shown' : ''}>
            <button
              type="button"
              class="step"
              aria-current={isShown ? 'true' : undefined}
              onClick={() => {
                pane.value = 'path'
                void showRequest(run.id)
              }}
            >
              <span>
                {run.request.from} → {run.request.to}
                {run.request.host === undefined ? '' : ` (${run.request.host})`}
              </span>
              <small class={isBad(run) ? 'bad' : 'mute'}>{stateOf(run)}</small>
            </button>
            {isShown ? <Actions run={run} /> : null}
          </li>
        )
      })}
    </ol>
  )
}

/** What can be done with the request that is shown. */
function Actions({ run: { request, result } }: { readonly run: RequestRun }) {
  if (result === undefined) return null
  return (
    <div class="actions">
      <button
        type="button"
        class="plain"
        disabled={connection.value !== 'open'}
        onClick={() => void sendRequest(request).catch(() => undefined)}
      >
        {request.predict === true ? say.value.predictAgain : say.value.sendAgain}
      </button>
      {'error' in result ? null : <Paths of={result} />}
    </div>
  )
}

/** Chooses one of the paths that are possible. */
function Paths({ of: { paths } }: { readonly of: RequestOutcome }) {
  if (paths.length < 2) return null
  return (
    <label>
      {say.value.possiblePaths(paths.length)}
      <select
        value={shownPath.value}
        onChange={({ currentTarget: { selectedIndex } }) => {
          pane.value = 'path'
          void showRequest(shownRequest.value, selectedIndex)
        }}
      >
        {paths.map(({ probability, end }, index) => (
          <option key={index} value={index}>
            {Number((probability * 100).toFixed(1))} %: {sentence.value(end)}
          </option>
        ))}
      </select>
    </label>
  )
}

function isBad({ result }: RequestRun): boolean {
  return result !== undefined && ('error' in result || !result.passed || result.differences.length > 0)
}

function stateOf({ request: { protocol, predict = false }, result }: RequestRun): string {
  const name = `${protocol.toUpperCase()} · ${predict ? say.value.predicted : say.value.sent}`
  if (result === undefined) return `${name} · ${say.value.running}`
  if ('error' in result) return `${name} · ${result.error}`
  const { outcome, answer, differences } = result
  const found = differences.length === 0 ? [] : [say.value.differences(differences.length)]
  const got =
    answer === undefined
      ? []
      : [...(answer.pod === undefined ? [] : [answer.pod]), `${answer.milliseconds} ms`]
  return [name, ...(outcome === undefined ? [] : [sentence.value(outcome)]), ...got, ...found].join(' · ')
}
