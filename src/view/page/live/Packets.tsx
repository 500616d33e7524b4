import type { ComponentChildren } from 'preact'
import type { LiveLab, LivePacket } from '../../live/api.js'
import { shownSocket } from '../shownSocket.js'
import { base } from './call.js'
import { lab, link, packets, type Link } from './state.js'
import { useAnswer } from './useAnswer.js'
import { say } from '../texts/say.js'

/** The last packets of a link, or of all, newest first. */
export function Packets() {
  const now = lab.value
  const chosen = link.value
  const { last, seen } = packets.value
  const path = chosen === undefined ? undefined : pathOf(chosen)
  const [{ value, error }] = useAnswer<readonly LivePacket[]>(path && `${path}/packets`)
  const shown = chosen === undefined ? last : (value?.toReversed().slice(0, mostShown) ?? [])
  if (now === undefined) return null
  const columns = say.value.packetColumns
  return (
    <section class="packets" aria-label={say.value.panes.packets}>
      <div class="fields">
        <LinkSelect lab={now} chosen={chosen} />
        {path === undefined ? (
          <p class="mute">{say.value.captured(seen)}</p>
        ) : (
          <a class="plain" href={`${base}${path}/pcap`} download>
            {say.value.savePackets}
          </a>
        )}
      </div>
      {error === '' ? null : (
        <p class="bad" role="alert">
          {error}
        </p>
      )}
      {/* of a fixed height: packets that arrive move nothing else */}
      <div class="packet-list" tabIndex={0} role="region" aria-label={say.value.lastPackets}>
        <table>
          <thead>
            <tr>
              {chosen === undefined ? <th scope="col">{columns.where}</th> : null}
              <th scope="col">{columns.time}</th>
              <th scope="col">{columns.source}</th>
              <th scope="col">{columns.destination}</th>
              <th scope="col">{columns.packet}</th>
              <th scope="col">{columns.rewritten}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((packet, index) => (
              <Row
                key={chosen === undefined ? seen - index : `${packet.time} ${packet.packet}`}
                packet={packet}
              >
                {chosen === undefined ? <td>{whereOf(packet)}</td> : null}
              </Row>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** More packets of one link are in its file. */
const mostShown = 200

function pathOf({ netns, interface: device }: Link): string {
  return `/links/${encodeURIComponent(netns)}/${encodeURIComponent(device)}`
}

function LinkSelect({
  lab: { places },
  chosen,
}: {
  readonly lab: LiveLab
  readonly chosen: Link | undefined
}) {
  const links: Link[] = Object.entries(places).flatMap(([netns, { interfaces }]) =>
    interfaces.map((device) => ({ netns, interface: device })),
  )
  const at = links.findIndex((one) => one.netns === chosen?.netns && one.interface === chosen.interface)
  return (
    <label>
      {say.value.link}
      <select value={at} onChange={({ currentTarget }) => (link.value = links[Number(currentTarget.value)])}>
        <option value={-1}>{say.value.all}</option>
        {links.map((one, index) => (
          <option key={index} value={index}>
            {one.netns} {one.interface}
          </option>
        ))}
      </select>
    </label>
  )
}

function whereOf({ netns, interface: device, direction }: LivePacket): string {
  return `${netns} ${device} ${direction}`
}

function Row({ packet, children }: { readonly packet: LivePacket; readonly children: ComponentChildren }) {
  const { time, protocol, source, destination, summary, rewritten, tunnel } = packet
  const classOf = (side: 'source' | 'destination') => `mono ${rewritten.includes(side) ? side : ''}`
  return (
    <tr>
      {children}
      <td class="mono">{new Date(time).toISOString().slice(11, 23)}</td>
      <td class={classOf('source')}>{shownSocket(source)}</td>
      <td class={classOf('destination')}>{shownSocket(destination)}</td>
      <td>
        {protocol.toUpperCase()} {summary}
        {tunnel === undefined ? '' : say.value.inVxlan(tunnel.source, tunnel.destination)}
      </td>
      <td>{rewritten.map((side) => say.value[side]).join(', ') || say.value.none}</td>
    </tr>
  )
}
