import { useMemo } from 'preact/hooks'
import { natColour } from '../../trace/text/natColour.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { decisionsOf, type Decision } from '../path/decisions.js'
import { endOf } from '../path/end.js'
import { flow, frames, goTo, path, playing } from './exchange.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** What decides on the path that is shown; each shows its moment. */
export function Decisions() {
  const all = frames.value
  const known = path.value
  const end = known === undefined || 'unknown' in known ? undefined : endOf(known, flow.value)
  const decisions = useMemo(() => decisionsOf(all, end), [all])
  if (decisions.length === 0) return null
  return (
    <section class="card">
      <h2>{say.value.decides}</h2>
      <ol class="decisions">
        {decisions.map((one, index) => (
          <li key={index}>
            <button
              type="button"
              onClick={() => {
                playing.value = false
                goTo(one.moment)
              }}
            >
              <b>{one.place}</b> <Text of={one} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Text({ of: { what, direction } }: { readonly of: Decision }) {
  switch (what.kind) {
    case 'rewrite': {
      const names = direction === 'answer' ? say.value.rewrittenBack : say.value.rewritten
      return (
        <span class={natColour(what.side, direction === 'answer')}>
          {names[what.side]} → <code>{tracedSocketText(what.to)}</code>
        </span>
      )
    }
    case 'received':
      return <span>{direction === 'answer' ? say.value.getsAnswer : say.value.receives}</span>
    case 'failed':
      return <span class="bad">✗ {sentence.value(what.text)}</span>
  }
}
