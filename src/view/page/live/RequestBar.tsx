import { useState } from 'preact/hooks'
import { hostText } from '../../../net/hostText.js'
import type { TopologyView } from '../../../results/events.js'
import type { LiveLab, LiveRequest } from '../../live/api.js'
import { titleOf } from '../../path/layout.js'
import { connection, sendRequest } from './state.js'
import { say } from '../texts/say.js'

const protocols = ['tcp', 'udp', 'icmp'] as const

/** Asks for a request: from where, to what, and whether packets are sent. */
export function RequestBar({ lab: { topology, findings } }: { readonly lab: LiveLab }) {
  const senders = sendersOf(topology)
  const preset = findings?.find(({ request }) => request !== undefined)?.request ?? usualRequest(topology)
  const [from, setFrom] = useState(preset.from)
  const [to, setTo] = useState(preset.to)
  const [protocol, setProtocol] = useState<LiveRequest['protocol']>('tcp')
  const [error, setError] = useState('')
  const send = (predict: boolean) => {
    setError('')
    sendRequest({ from, to, protocol, predict }).catch(({ message }: Error) => setError(message))
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
          onChange={({ currentTarget }) => setProtocol(currentTarget.value as LiveRequest['protocol'])}
        >
          {protocols.map((name) => (
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

function sendersOf({ clients, nodes, pods }: TopologyView): string[] {
  return [...clients.map(({ name }) => name), ...nodes.map(({ name }) => name), ...pods.map(titleOf)]
}

/** What can be called: node ports, external IPs and cluster IPs of Services, then pods. */
function targetsOf({ nodes, pods, services }: TopologyView): string[] {
  const outside = services.flatMap(({ externalIPs, ports }) =>
    ports.flatMap(({ port, nodePort }) => [
      ...(nodePort === undefined ? [] : nodes.map(({ name }) => `{${name}}:${nodePort}`)),
      ...externalIPs.map((address) => `${hostText(address)}:${port}`),
    ]),
  )
  const inside = services.flatMap(({ clusterIPs, ports }) =>
    clusterIPs.flatMap((address) =>
      address === 'None' ? [] : ports.map(({ port }) => `${hostText(address)}:${port}`),
    ),
  )
  return [...new Set([...outside, ...inside, ...pods.map((pod) => `{${titleOf(pod)}}`)])]
}

/** A request that passes in most healthy labs: clients have no route to cluster IPs, so only what is for them is called from there. */
function usualRequest(topology: TopologyView): { readonly from: string; readonly to: string } {
  const { nodes, services } = topology
  const [to = ''] = targetsOf(topology)
  const isForClients = services.some(
    ({ externalIPs, ports }) =>
      externalIPs.length > 0 || (nodes.length > 0 && ports.some(({ nodePort }) => nodePort !== undefined)),
  )
  const senders = sendersOf(topology)
  const [inside = ''] = senders.slice(topology.clients.length + nodes.length).concat(senders)
  return { from: isForClients ? (senders[0] ?? '') : inside, to }
}
