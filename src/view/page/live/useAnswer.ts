import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { call } from './call.js'
import { changes, connection } from './state.js'

/** What a call has answered last; `value` is undefined before its first answer. */
export interface Answer<Value> {
  readonly value: Value | undefined
  /** Why the last call failed; empty if it did not. */
  readonly error: string
}

/** Milliseconds between two looks at whether something has changed. */
const lookEveryMs = 1000
/** What no event reports is read after this many looks: entries of conntrack that expire, processes that listen. */
const mostLooks = 5

/**
 * The answer of `GET path`, read again when a signal has changed (by default, after each event of the lab), at most every second;
 * undefined for no call. `accept` is the media type of the answer. The function replaces the answer with one that is newer.
 */
export function useAnswer<Value>(
  path: string | undefined,
  changed: ReadonlySignal<unknown> = changes,
  accept?: string,
): readonly [Answer<Value>, (value: Value) => void] {
  const [answer, setAnswer] = useState<Answer<Value> & { readonly path?: string | undefined }>(nothing)
  useEffect(() => {
    if (path === undefined) return
    let timer: ReturnType<typeof setTimeout>
    let ended = false
    let looks = mostLooks
    let readAt: unknown
    const look = async () => {
      const now = changed.peek()
      const isDue = now !== readAt || ++looks >= mostLooks
      if (isDue && !document.hidden && connection.peek() === 'open') {
        readAt = now
        looks = 0
        const next = await call<Value>(path, undefined, accept).then(
          (value) => ({ path, value, error: '' }),
          ({ message }: Error) => ({ error: message }),
        )
        if (!ended) setAnswer((before) => ({ ...(before.path === path ? before : nothing), path, ...next }))
      }
      if (!ended) timer = setTimeout(() => void look(), lookEveryMs)
    }
    void look()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [path, changed, accept])
  const replace = (value: Value) => setAnswer({ path, value, error: '' })
  return [answer.path === path ? answer : nothing, replace]
}

const nothing = { value: undefined, error: '' }
