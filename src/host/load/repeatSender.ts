import { setTimeout as delay } from 'node:timers/promises'
import { CannotRunError } from '../../errors.js'
import type { Action } from '../../results/request.js'
import { runAction } from '../actions/index.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { createConditions } from './condition.js'
import type { Sender, SenderOptions, SentRequest } from './types.js'

/** Repeats an action in a namespace, with a process for each. */
export function startRepeatSender(
  sandbox: Sandbox,
  action: Action,
  { netns, everySeconds, connectSeconds }: SenderOptions,
): Sender {
  const sent: SentRequest[] = []
  const conditions = createConditions()
  const stopping = new AbortController()
  let trouble: string | undefined
  let fault: CannotRunError | undefined
  const throwFault = () => {
    if (fault !== undefined) throw fault
  }
  const once = async () => {
    const beganAt = performance.now()
    const results = await runAction(sandbox, { netns }, action, {
      repeat: 1,
      giveUpAfter: Infinity,
      connectSeconds,
    })
    sent.push(...results.map((result) => ({ result, beganAt })))
    conditions.check()
    const rest = beganAt + everySeconds * 1000 - performance.now()
    if (rest > 0) await delay(rest, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
  const work = async () => {
    while (!stopping.signal.aborted && sandbox.alive()) await once()
  }
  const done = work().catch((error: unknown) => {
    if (error instanceof CannotRunError) fault = error
    trouble = error instanceof Error ? error.message : String(error)
    conditions.check()
  })
  return {
    sent: () => sent,
    trouble: () => trouble,
    async first() {
      await conditions.until(() => sent.length > 0 || trouble !== undefined, Infinity)
      throwFault()
    },
    async stop() {
      stopping.abort()
      await done
      throwFault()
    },
  }
}
