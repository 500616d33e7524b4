import type { LivePacket } from '../../live/api.js'
import { shownSocket } from '../shownSocket.js'
import { packets } from './state.js'

/** The last packets that were captured, newest first. */
export function Packets() {
  const { last, seen } = packets.value
  return (
    <section class="packets" aria-label="Packets">
      <h2>Packets · {seen} captured</h2>
      {/* of a fixed height: packets that arrive move nothing else */}
      <div class="packet-list" tabIndex={0} role="region" aria-label="The last packets, newest first">
        <table>
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Source</th>
              <th scope="col">Destination</th>
              <th scope="col">Packet</th>
              <th scope="col">Rewritten</th>
            </tr>
          </thead>
          <tbody>
            {last.map((packet, index) => (
              <Row key={seen - index} packet={packet} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ packet }: { readonly packet: LivePacket }) {
  const { netns, interface: device, direction, protocol, source, destination, summary, rewritten } = packet
  const classOf = (side: 'source' | 'destination') => `mono ${rewritten.includes(side) ? side : ''}`
  return (
    <tr>
      <td>
        {netns} {device} {direction}
      </td>
      <td class={classOf('source')}>{shownSocket(source)}</td>
      <td class={classOf('destination')}>{shownSocket(destination)}</td>
      <td>
        {protocol.toUpperCase()} {summary}
      </td>
      <td>{rewritten.join(', ') || 'none'}</td>
    </tr>
  )
}
