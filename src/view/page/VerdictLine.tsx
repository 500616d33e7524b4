import { useMemo } from 'preact/hooks'
import type { Flow } from '../../packets/types.js'
import type { TopologyView } from '../../results/events.js'
import { callerText } from '../../results/request.js'
import { flowGraphOf } from '../path/flowGraph.js'
import type { Frame } from '../path/frames.js'
import { verdictOf } from '../path/verdict.js'
import type { FlowPath } from '../report/document.js'
import { flow, frames, path } from './exchange.js'
import { say } from './texts/say.js'
import { sentence } from './texts/sentence.js'

/** What happened to the request that is shown, in one sentence. */
export function VerdictLine({ view }: { readonly view: TopologyView }) {
  return flow.value === undefined ? null : (
    <Verdict view={view} flow={flow.value} known={path.value} all={frames.value} />
  )
}

interface VerdictProps {
  readonly view: TopologyView
  readonly flow: Flow
  readonly known: FlowPath | undefined
  readonly all: readonly Frame[]
}

/** What happened to a request, in one sentence. */
export function Verdict({ view, flow: seen, known, all }: VerdictProps) {
  const verdict = useMemo(() => verdictOf(flowGraphOf(all), known, seen, view), [all, known, seen, view])
  if (verdict === undefined) return null
  const { caller, target, rewriters, result, reason } = verdict
  const texts = say.value.verdict
  const isPredicted =
    known !== undefined && 'basis' in known && known.basis !== undefined && known.basis !== 'trace'
  const { otherwise = 0 } = isPredicted ? known : {}
  const got = seen.caller
  const milliseconds = got?.milliseconds
  const gotten = got && sentence.value(milliseconds === undefined ? callerText(got) : got.outcome)
  const outcome = gotten && (milliseconds === undefined ? gotten : texts.inTime(gotten, milliseconds))
  const answered = isPredicted ? texts.wouldAnswer : texts.outcomes.answered
  const failed =
    reason === undefined
      ? (outcome ?? texts.outcomes[seen.outcome])
      : `${isPredicted ? `${say.value.predicted}: ` : ''}${sentence.value(reason)}${outcome === undefined ? '' : ` (${outcome})`}`
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
        {result === 'answered' ? (outcome ?? answered) : failed}
      </b>
      {otherwise === 0 ? null : ` · ${texts.otherwise(Number((otherwise * 100).toFixed(1)))}`}
    </p>
  )
}
