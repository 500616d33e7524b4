import { useMemo } from 'preact/hooks'
import type { TopologyView } from '../../results/events.js'
import { flowGraphOf } from '../path/flowGraph.js'
import { verdictOf } from '../path/verdict.js'
import { flow, frames, path } from './exchange.js'
import { say } from './texts/say.js'

interface VerdictLineProps {
  readonly view: TopologyView
  /** What the caller got, if a packet was sent: `HTTP 200`. */
  readonly outcome?: string | undefined
}

/** What happened to the request that is shown, in one sentence. */
export function VerdictLine({ view, outcome }: VerdictLineProps) {
  const all = frames.value
  const known = path.value
  const seen = flow.value?.outcome ?? ''
  const verdict = useMemo(() => verdictOf(flowGraphOf(all), known, seen, view), [all, known, seen, view])
  if (verdict === undefined) return null
  const { caller, target, rewriters, result, reason } = verdict
  const texts = say.value.verdict
  const isPredicted =
    known !== undefined && 'basis' in known && known.basis !== undefined && known.basis !== 'trace'
  const answered = isPredicted ? texts.wouldAnswer : texts.answered
  const state = { answered: 'good', failed: 'bad', unknown: 'mute' }[result]
  return (
    <p class={`verdict ${state}`} role="status">
      <span>{texts.called(caller, target.socket, target.service)}</span>
      {rewriters.map(({ place, sides, chosen }) => (
        <span key={place}>
          {` → ${place}: `}
          {chosen === undefined ? '' : texts.chose(chosen.name, chosen.of)}
          {texts.rewrote(sides.map((side) => say.value[side]).join(texts.and))}
        </span>
      ))}
      <b>
        {' → '}
        {result === 'answered' ? (outcome ?? answered) : (reason ?? texts.noAnswer)}
      </b>
    </p>
  )
}
