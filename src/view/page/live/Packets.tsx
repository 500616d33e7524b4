import { signal } from '@preact/signals'
import type { LiveLab, LivePacket } from '../../live/api.js'
import { shownSocket } from '../shownSocket.js'
import { base } from './call.js'
import { packetFilters, packetRows, type PacketFilter, type PacketRow } from '../../path/packetRows.js'
import { exchange, frames } from '../exchange.js'
import { lab, link, packets, type Link } from './state.js'
import { useAnswer } from './useAnswer.js'
import { say } from '../texts/say.js'

/** Which packets are listed; kept while another pane is shown. */
const filter = signal<PacketFilter>('toHosts')

/** The last packets of a link, or of all, newest first; a packet that several places have seen is one row. */
export function Packets() {
  const now = lab.value
  const chosen = link.value
  const { last, seen } = packets.value
  const path = chosen === undefined ? undefined : pathOf(chosen)
  const [{ value, error }] = useAnswer<readonly LivePacket[]>(path && `${path}/packets`)
  const rows = packetRows(
    chosen === undefined ? last : (value?.toReversed() ?? []),
    filter.value,
    frames.value,
  )
  if (now === undefined) return null
  const columns = say.value.packetColumns
  return (
    <section class="packets" aria-label={say.value.panes.packets}>
      <div class="fields">
        <LinkSelect lab={now} chosen={chosen} />
        <FilterSelect />
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
              <th scope="col">{columns.time}</th>
              <th scope="col">{columns.source}</th>
              <th scope="col">{columns.destination}</th>
              <th scope="col">{columns.packet}</th>
              <th scope="col">{columns.rewritten}</th>
              <th scope="col">{columns.where}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostShown).map((row) => (
              <Row key={row.first.packet} row={row} />
            ))}
          </tbody>
        </table>
        {rows.length === 0 ? <p class="mute">{say.value.noPacket}</p> : null}
      </div>
    </section>
  )
}

/** More packets of a link are in its file. */
const mostShown = 40

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

/** Chooses which packets are listed; those of a request, if one is shown. */
function FilterSelect() {
  return (
    <label>
      {say.value.showPackets}
      <select
        value={filter.value}
        onChange={({ currentTarget }) => (filter.value = currentTarget.value as PacketFilter)}
      >
        {packetFilters
          .filter((one) => one !== 'request' || exchange.value !== undefined)
          .map((one) => (
            <option key={one} value={one}>
              {say.value.packetFilters[one]}
            </option>
          ))}
      </select>
    </label>
  )
}

function Row({ row: { first, last, seen } }: { readonly row: PacketRow }) {
  const { time, protocol, summary, tunnel } = first
  const { rewritten } = last
  return (
    <tr>
      <td class="mono">{new Date(time).toISOString().slice(11, 23)}</td>
      <td class="mono">
        <Changed row={[first.source, last.source]} side="source" />
      </td>
      <td class="mono">
        <Changed row={[first.destination, last.destination]} side="destination" />
      </td>
      <td>
        {protocol.toUpperCase()} {summary}
        {tunnel === undefined ? '' : say.value.inVxlan(tunnel.source, tunnel.destination)}
      </td>
      <td>{rewritten.map((side) => say.value[side]).join(', ') || say.value.none}</td>
      <td>{[...new Set(seen.map(({ netns }) => netns))].join(' → ')}</td>
    </tr>
  )
}

interface ChangedProps {
  /** As it was first seen, and as it was last seen. */
  readonly row: readonly [LivePacket['source'], LivePacket['source']]
  readonly side: 'source' | 'destination'
}

function Changed({ row, side }: ChangedProps) {
  const [before, after] = row.map(shownSocket)
  if (before === after) return <>{before}</>
  return (
    <>
      {before} → <span class={side}>{after}</span>
    </>
  )
}
