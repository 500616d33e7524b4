import { useEffect, useState } from 'preact/hooks'
import type { LiveRequest } from '../../live/api.js'
import { call } from './call.js'
import { connection } from './state.js'
import { say } from '../texts/say.js'
import { sentence } from '../texts/sentence.js'

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

interface WhyProps {
  readonly request: LiveRequest
  /** Without being asked: not in the page of a class, whose participants look for the cause. */
  readonly asksAtOnce: boolean
}

/** Asks why a request fails, and shows the answer below its verdict: causes, and changes that let it pass. */
export function Why({ request, asksAtOnce }: WhyProps) {
  const [answer, setAnswer] = useState<WhyAnswer | 'waiting' | { readonly error: string }>()
  const ask = () => {
    setAnswer('waiting')
    const { predict: _predict, ...rest } = request
    call<WhyAnswer>('/why', rest).then(setAnswer, ({ message }: Error) => setAnswer({ error: message }))
  }
  useEffect(() => {
    if (asksAtOnce) ask()
  }, [])
  return (
    <div class="why-answer" aria-live="polite">
      {answer === undefined || (typeof answer === 'object' && 'error' in answer) ? (
        <button type="button" class="plain" disabled={connection.value !== 'open'} onClick={ask}>
          {say.value.why}
        </button>
      ) : null}
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
            {sentence.value(says)}
          </p>
        ))}
      </>
    )
  return (
    <ol>
      {findings.map(({ end, share, causes, changes }, index) => (
        <li key={index}>
          {findings.length === 1 && share === 1 ? null : (
            <p class="bad">
              {sentence.value(end.reason)}
              {share < 1 ? say.value.ofRequests(percent(share)) : ''}
            </p>
          )}
          {causes.map(({ says }) => (
            <p key={says}>{sentence.value(says)}</p>
          ))}
          {changes.length === 0 ? <p class="mute">{say.value.noChange}</p> : <h3>{say.value.whatHelps}</h3>}
          <ul>
            {changes.map(({ says, command, share: helped }, at) => (
              <li key={at}>
                {sentence.value(says)}
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
