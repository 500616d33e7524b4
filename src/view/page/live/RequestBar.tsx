import { useState } from 'preact/hooks'
import type { LiveLab } from '../../live/api.js'
import { say } from '../texts/say.js'
import {
  formOf,
  formProtocols,
  isHttp,
  requestOf,
  sendersOf,
  targetsOf,
  usualRequest,
  type FormProtocol,
} from './formRequest.js'
import { connection, sendRequest } from './state.js'

/** Asks for a request: from where, to what, and whether packets are sent. */
export function RequestBar({ lab: { topology, firstRequest, findings } }: { readonly lab: LiveLab }) {
  const senders = sendersOf(topology)
  const known = firstRequest ?? findings?.find(({ request }) => request !== undefined)?.request
  const preset = known === undefined ? usualRequest(topology) : formOf(known)
  const [from, setFrom] = useState(preset.from)
  const [to, setTo] = useState(preset.to)
  const [protocol, setProtocol] = useState(preset.protocol)
  const [host, setHost] = useState(preset.host)
  const [path, setPath] = useState(preset.path)
  const [error, setError] = useState('')
  const send = (predict: boolean) => {
    setError('')
    const request = requestOf({ from, to, protocol, host, path })
    sendRequest({ ...request, predict }).catch(({ message }: Error) => setError(message))
  }
  const isRunning = findings === undefined
  const isClosed = connection.value !== 'open'
  return (
    <form
      class="request"
      onSubmit={(event) => {
        event.preventDefault()
        send(!isRunning)
      }}
    >
      <label>
        {say.value.from}
        <select value={from} onChange={({ currentTarget }) => setFrom(currentTarget.value)}>
          {[...new Set([from, ...senders])].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        {say.value.protocol}
        <select
          value={protocol}
          onChange={({ currentTarget }) => setProtocol(currentTarget.value as FormProtocol)}
        >
          {formProtocols.map((name) => (
            <option key={name} value={name}>
              {name.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
      <label class="wide">
        {say.value.to}
        <input
          value={to}
          list="targets"
          required
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </label>
      <datalist id="targets">
        {targetsOf(topology).map((target) => (
          <option key={target} value={target} />
        ))}
      </datalist>
      {isHttp(protocol) ? (
        <div class="http wide">
          <Field label={say.value.hostName} value={host} onValue={setHost} placeholder="example.com" />
          <Field label={say.value.urlPath} value={path} onValue={setPath} placeholder="/" />
        </div>
      ) : null}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isClosed}>
          {isRunning ? say.value.send : say.value.predict}
        </button>
        {isRunning ? (
          <button type="button" disabled={isClosed} onClick={() => send(true)}>
            {say.value.predict}
          </button>
        ) : null}
      </div>
      {error === '' ? null : (
        <p class="bad wide" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onValue: (value: string) => void
}

function Field({ label, value, placeholder, onValue }: FieldProps) {
  return (
    <label>
      {label}
      <input
        {...{ value, placeholder, spellcheck: false, autocomplete: 'off' }}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </label>
  )
}
