import { useEffect, useState } from 'preact/hooks'
import type { LiveRequest } from '../../live/api.js'
import type { ShownWhy } from '../../report/document.js'
import { call } from './call.js'
import { connection } from './state.js'
import { say } from '../texts/say.js'
import { WhyAnswer } from '../WhyAnswer.js'

interface WhyProps {
  readonly request: LiveRequest
  /** Without being asked: not in the page of a class, whose participants look for the cause. */
  readonly asksAtOnce: boolean
}

/** Asks why a request fails, and shows the answer below its verdict: causes, and changes that let it pass. */
export function Why({ request, asksAtOnce }: WhyProps) {
  const [answer, setAnswer] = useState<ShownWhy | 'waiting' | { readonly error: string }>()
  const ask = () => {
    setAnswer('waiting')
    const { predict: _predict, ...rest } = request
    call<ShownWhy>('/why', rest).then(setAnswer, ({ message }: Error) => setAnswer({ error: message }))
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
        <WhyAnswer of={answer} />
      )}
    </div>
  )
}
