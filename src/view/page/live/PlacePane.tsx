import type { ConntrackLine, LivePlace, PlaceDetails } from '../../live/api.js'
import { PlaceSelect } from './PlaceSelect.js'
import { chosenPlace, lab, place } from './state.js'
import { Table } from './Table.js'
import { useAnswer } from './useAnswer.js'
import { WhoMayTalk } from './WhoMayTalk.js'
import { say } from '../texts/say.js'

/** What a node, pod or client has now. */
export function PlacePane() {
  const netns = chosenPlace.value
  const path = netns === undefined ? undefined : `/places/${encodeURIComponent(netns)}`
  const [{ value, error }] = useAnswer<PlaceDetails>(path)
  if (lab.value === undefined) return null
  return (
    <section aria-label={say.value.place}>
      <div class="fields">
        <PlaceSelect lab={lab.value} value={netns} onChoose={(next) => (place.value = next)} />
        {value === undefined ? null : <p class="mute">{kindText(value)}</p>}
      </div>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {value === undefined ? <p class="mute">{say.value.reading}</p> : <Details of={value} netns={netns} />}
    </section>
  )
}

function kindText({ kind, namespace = 'default', node }: LivePlace): string {
  if (kind !== 'pod') return say.value.names[kind]
  return node === undefined ? say.value.podIn(namespace) : say.value.podOn(namespace, node)
}

interface DetailsProps {
  readonly of: PlaceDetails
  readonly netns: string | undefined
}

function Details({ of: { addresses, routes, sockets, conntrack }, netns }: DetailsProps) {
  const texts = say.value
  return (
    <div class="facts-grid">
      {netns === undefined ? null : <WhoMayTalk netns={netns} />}
      <div>
        <h2>{texts.addresses}</h2>
        <Table
          label={texts.addresses}
          columns={texts.addressColumns}
          rows={addresses.map((one) => [one.interface, <code>{one.address}</code>])}
          none={texts.noAddress}
        />
      </div>
      <div>
        <h2>{texts.routes}</h2>
        <Table
          label={texts.routes}
          columns={[texts.route]}
          rows={routes.map((route) => [<code>{route}</code>])}
          none={texts.noRoute}
        />
      </div>
      <div>
        <h2>
          {texts.sockets} · {sockets.length}
        </h2>
        <Table
          label={texts.sockets}
          columns={texts.socketColumns}
          rows={sockets.map(({ protocol, state, local, peer, process }) => [
            `${protocol.toUpperCase()} ${state}`,
            <code>{local}</code>,
            <code>{peer}</code>,
            process ?? '',
          ])}
          none={texts.noSocket}
        />
      </div>
      <div class="wide">
        <h2>
          {texts.conntrack} · {conntrack.length}
        </h2>
        <Table
          label={texts.conntrack}
          columns={texts.conntrackColumns}
          rows={conntrack.map(conntrackCells)}
          none={texts.noConnection}
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
