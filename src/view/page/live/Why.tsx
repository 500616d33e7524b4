import { useState } from 'preact/hooks'
import type { LiveRequest } from '../../live/api.js'
import { call } from './call.js'
import { connection } from './state.js'
import { say } from '../texts/say.js'

/** What the page shows of the document of `vethlab why --json`; docs/trace.md describes it. */
interface WhyAnswer {
  readonly findings: readonly {
    readonly end: { readonly reason: string }
    /** Of the requests, from 0 to 1. */
    readonly share: number
    readonly causes: readonly { readonly says: string }[]
    readonly changes: readonly { readonly says: string; readonly command?: string; readonly share: number }[]
  }[]
  readonly remarks: readonly { readonly says: string }[]
}

/** Asks why a request fails, and shows the answer: causes, and changes that let it pass. */
export function Why({ request }: { readonly request: LiveRequest }) {
  const [answer, setAnswer] = useState<WhyAnswer | 'waiting' | { readonly error: string }>()
  const ask = () => {
    setAnswer('waiting')
    const { predict: _predict, ...rest } = request
    call<WhyAnswer>('/why', rest).then(setAnswer, ({ message }: Error) => setAnswer({ error: message }))
  }
  return (
    <div class="why-answer" aria-live="polite">
      <button
        type="button"
        class="plain"
        disabled={answer === 'waiting' || connection.value !== 'open'}
        onClick={ask}
      >
        {say.value.why}
      </button>
      {answer === undefined ? null : answer === 'waiting' ? (
        <p class="mute">{say.value.looking}</p>
      ) : 'error' in answer ? (
        <p class="bad">{answer.error}</p>
      ) : (
        <Findings of={answer} />
      )}
    </div>
  )
}

function Findings({ of: { findings, remarks } }: { readonly of: WhyAnswer }) {
  if (findings.length === 0)
    return (
      <>
        <p>{say.value.noCause}</p>
        {remarks.map(({ says }) => (
          <p class="mute" key={says}>
            {says}
          </p>
        ))}
      </>
    )
  return (
    <ol>
      {findings.map(({ end, share, causes, changes }, index) => (
        <li key={index}>
          <p class="bad">
            {end.reason}
            {share < 1 ? say.value.ofRequests(percent(share)) : ''}
          </p>
          {causes.map(({ says }) => (
            <p key={says}>{says}</p>
          ))}
          {changes.length === 0 ? null : <h3>{say.value.whatHelps}</h3>}
          <ul>
            {changes.map(({ says, command, share: helped }, at) => (
              <li key={at}>
                {says}
                {helped < 1 ? say.value.thenPass(percent(helped)) : ''}
                {command === undefined ? null : <code>{command}</code>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}
