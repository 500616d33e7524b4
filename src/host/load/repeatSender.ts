import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '../../lab/types.js'
import { runAction } from '../actions/index.js'
import type { Sandbox } from '../sandbox.js'
import { createBell } from './bell.js'
import { connectSeconds, type Sender, type SenderOptions, type SentRequest } from './types.js'

/** Carries an action out in a namespace again and again, a process for each. */
export function startRepeatSender(
  sandbox: Sandbox,
  action: Action,
  { netns, everySeconds }: SenderOptions,
): Sender {
  const sent: SentRequest[] = []
  const bell = createBell()
  const stopping = new AbortController()
  let trouble: string | undefined
  const once = async () => {
    const beganAt = performance.now()
    const results = await runAction(sandbox, netns, action, {
      repeat: 1,
      giveUpAfter: Infinity,
      connectSeconds,
    })
    sent.push(...results.map((result) => ({ result, beganAt })))
    bell.ring()
    const rest = beganAt + everySeconds * 1000 - performance.now()
    if (rest > 0) await delay(rest, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  const work = async () => {
    while (!stopping.signal.aborted && sandbox.alive()) await once()
  }
  const done = work().catch((error: unknown) => {
    trouble = error instanceof Error ? error.message : String(error)
    bell.ring()
  })
  return {
    sent: () => sent,
    trouble: () => trouble,
    first: () => bell.until(() => sent.length > 0 || trouble !== undefined, Infinity),
    async stop() {
      stopping.abort()
      await done
    },
  }
}
