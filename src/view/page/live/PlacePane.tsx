import type { ConntrackLine, LivePlace, PlaceDetails } from '../../live/api.js'
import { PlaceSelect } from './PlaceSelect.js'
import { chosenPlace, lab, place } from './state.js'
import { Table } from './Table.js'
import { useAnswer } from './useAnswer.js'

/** What a node, pod or client has now. */
export function PlacePane() {
  const netns = chosenPlace.value
  const path = netns === undefined ? undefined : `/places/${encodeURIComponent(netns)}`
  const [{ value, error }] = useAnswer<PlaceDetails>(path)
  if (lab.value === undefined) return null
  return (
    <section aria-label="Place">
      <div class="fields">
        <PlaceSelect lab={lab.value} value={netns} onChoose={(next) => (place.value = next)} />
        {value === undefined ? null : <p class="mute">{kindText(value)}</p>}
      </div>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {value === undefined ? <p class="mute">Reading…</p> : <Details of={value} />}
    </section>
  )
}

function kindText({ kind, namespace, node }: LivePlace): string {
  if (kind !== 'pod') return kind
  return `pod in namespace ${namespace ?? 'default'}${node === undefined ? '' : ` on ${node}`}`
}

function Details({ of: { addresses, routes, sockets, conntrack } }: { readonly of: PlaceDetails }) {
  return (
    <div class="facts-grid">
      <div>
        <h2>Addresses</h2>
        <Table
          label="Addresses"
          columns={['Interface', 'Address']}
          rows={addresses.map((one) => [one.interface, <code>{one.address}</code>])}
          none="No address."
        />
      </div>
      <div>
        <h2>Routes</h2>
        <Table
          label="Routes"
          columns={['Route']}
          rows={routes.map((route) => [<code>{route}</code>])}
          none="No route."
        />
      </div>
      <div>
        <h2>Sockets · {sockets.length}</h2>
        <Table
          label="Sockets"
          columns={['State', 'Local', 'Peer', 'Process']}
          rows={sockets.map(({ protocol, state, local, peer, process }) => [
            `${protocol.toUpperCase()} ${state}`,
            <code>{local}</code>,
            <code>{peer}</code>,
            process ?? '',
          ])}
          none="No socket."
        />
      </div>
      <div class="wide">
        <h2>Connection tracking · {conntrack.length}</h2>
        <Table
          label="Connection tracking"
          columns={['Connection', 'As sent', 'After NAT']}
          rows={conntrack.map(conntrackCells)}
          none="No connection is tracked."
        />
      </div>
    </div>
  )
}

/** The answer of a connection has both ends exchanged; what differs was rewritten. */
function conntrackCells({ protocol, state, original, reply }: ConntrackLine) {
  const changed = (before: string, after: string, side: string) => (
    <span class={before === after ? '' : side}>{after}</span>
  )
  return [
    `${protocol.toUpperCase()} ${state ?? ''}`,
    <code>
      {original.source} → {original.destination}
    </code>,
    <code>
      {changed(original.source, reply.destination, 'source')} →{' '}
      {changed(original.destination, reply.source, 'destination')}
    </code>,
  ]
}
