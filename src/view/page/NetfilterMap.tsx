import type { Hook } from '../../trace/model/steps.js'
import type { Frame, MapRow } from '../path/frames.js'
import { frame, frames, goTo, moment } from './exchange.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

const hooks: readonly Hook[] = ['prerouting', 'input', 'forward', 'output', 'postrouting']
const rows: readonly MapRow[] = ['raw', 'conntrack', 'mangle', 'nat', 'route', 'filter']

/** Where the kernel has each table: hooks by row (netfilter’s priorities, linux/netfilter_ipv4.h). */
const exists: Readonly<Record<MapRow, readonly Hook[]>> = {
  raw: ['prerouting', 'output'],
  conntrack: ['prerouting', 'input', 'output', 'postrouting'],
  mangle: hooks,
  nat: ['prerouting', 'input', 'output', 'postrouting'],
  route: ['prerouting', 'output'],
  filter: ['input', 'forward', 'output'],
}

/** Hooks and tables of the host that is shown; those that the packet has met are links to their moments. */
export function NetfilterMap() {
  const now = frame.value
  if (now === undefined) return null
  const own = frames.value
    .map((one, index) => ({ one, index }))
    .filter(({ one }) => one.hop === now.hop && one.hook !== undefined)
  const tables = [...new Set(own.map(({ one }) => one.row))].filter(
    (row) => row !== undefined && !isMapRow(row),
  ) as readonly string[]
  if (own.length === 0)
    return (
      <section class="map">
        <h2>{say.value.netfilterOn(now.place)}</h2>
        <p class="mute">{say.value.noRule(sentence.value(now.text))}</p>
      </section>
    )
  return (
    <section class="map">
      <h2>
        {say.value.netfilterOn(now.place)}
        {now.direction === 'answer' ? say.value.theAnswer : ''}
      </h2>
      <table>
        <thead>
          <tr>
            <td />
            {hooks.map((hook) => (
              <th scope="col" key={hook}>
                {hook.toUpperCase()}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...rows, ...tables].map((row) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {hooks.map((hook) => (
                <td key={hook}>
                  {!isMapRow(row) || exists[row].includes(hook) ? (
                    <Cell found={own.filter(({ one }) => one.hook === hook && one.row === row)} />
                  ) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function isMapRow(row: string): row is MapRow {
  return (rows as readonly string[]).includes(row)
}

function Cell({ found }: { readonly found: readonly { readonly one: Frame; readonly index: number }[] }) {
  const [first] = found
  if (first === undefined) return <span class="cell empty">–</span>
  const isNow = found.some(({ index }) => index === moment.value)
  return (
    <button
      type="button"
      class={`cell ${isNow ? 'now' : 'hit'}`}
      aria-current={isNow ? 'step' : undefined}
      onClick={() => goTo(first.index)}
    >
      {found.map(({ one }) => cellText(one)).join(' · ')}
    </button>
  )
}

function cellText({ kind, rules, before, after, label, text }: Frame): string {
  if (kind === 'table') {
    const count = rules.filter((rule) => rule.kind === 'rule').length
    const nat =
      before.destination !== after.destination ? 'DNAT · ' : before.source !== after.source ? 'SNAT · ' : ''
    return `${nat}${say.value.rules(count)}`
  }
  if (kind === 'conntrack') {
    if (label === 'entry') return 'confirm'
    return text.startsWith('a new') ? 'new' : text.startsWith('another') ? 'new port' : 'known'
  }
  if (kind === 'route')
    return / via (\S+)/.exec(text)?.[0].trim() ?? (text.endsWith('local') ? 'local' : 'on link')
  return sentence.value(label)
}
