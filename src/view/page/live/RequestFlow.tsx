import { useEffect, useState } from 'preact/hooks'
import type { RequestAnswer, RequestRun } from '../../live/api.js'
import { exchange } from '../exchange.js'
import { FlowGraph } from '../FlowGraph.js'
import { VerdictLine } from '../VerdictLine.js'
import { say } from '../texts/say.js'
import { sentence } from '../texts/sentence.js'
import { isFramed } from './address.js'
import { Why } from './Why.js'
import { lab, pathProblem, requests, shownRequest } from './state.js'

/** What happened to the request that is shown: in one sentence, what the caller got, and as a flow graph. */
export function RequestFlow() {
  const now = lab.value
  const run = requests.value.find(({ id }) => id === shownRequest.value)
  if (now === undefined || run === undefined) return null
  const { result } = run
  if (result === undefined) return <Running run={run} all={Object.keys(now.places).length} />
  if ('error' in result)
    return (
      <p class="bad" role="alert">
        {result.error}
      </p>
    )
  if (exchange.value === undefined)
    return pathProblem.value === '' ? null : <p class="bad">{pathProblem.value}</p>
  const { answer, limits = [], passed } = result
  const { id, request } = run
  return (
    <>
      <VerdictLine view={now.topology} />
      {answer === undefined ? null : <Answer of={answer} />}
      {passed ? null : <Why key={id} request={request} asksAtOnce={!isFramed} />}
      {limits.map((text) => (
        <p class="mute" key={text}>
          {sentence.value(text)}
        </p>
      ))}
      <FlowGraph />
    </>
  )
}

/** What a request does that has no result yet, and for how long. */
function Running({
  run: { request, startedAt, phase, places },
  all,
}: {
  readonly run: RequestRun
  readonly all: number
}) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000))
  return (
    <section class="running" aria-label={say.value.running}>
      <p class="verdict">
        {request.from} → {request.to}
      </p>
      <p role="status">
        {phase === undefined ? say.value.running : say.value.phases[phase](places ?? 0, all)}
      </p>
      <progress aria-label={say.value.running} />
      <p class="mute">{say.value.seconds(seconds)}</p>
    </section>
  )
}

/** Status, pod, time and body of an answer. */
function Answer({ of: { status, pod, milliseconds, body } }: { readonly of: RequestAnswer }) {
  return (
    <dl class="answer">
      {status === undefined ? null : (
        <div>
          <dt>{say.value.status}</dt>
          <dd class={status < 400 ? 'good' : 'bad'}>{status}</dd>
        </div>
      )}
      {pod === undefined ? null : (
        <div>
          <dt>{say.value.answeredBy}</dt>
          <dd>{pod}</dd>
        </div>
      )}
      <div>
        <dt>{say.value.time}</dt>
        <dd>{milliseconds} ms</dd>
      </div>
      {body === '' ? null : (
        <div class="body">
          <dt>{say.value.body}</dt>
          <dd>
            <pre tabIndex={0}>{body}</pre>
          </dd>
        </div>
      )}
    </dl>
  )
}
