import { setTimeout as delay } from 'node:timers/promises'
import { CannotRunError } from '../../errors.js'
import { bindName } from '../reserveName.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** A trace lasts as long as its request, and all of them wait on a busy host. */
const patienceMs = 120_000
const lookEveryMs = 20

/**
 * Waits until no other trace of this user runs in a sandbox: two would report each other’s packets, and remove each other’s tables.
 * Returns the function that ends the turn, which also ends with this process. Throws CannotRunError, and the signal's reason if it
 * aborts first.
 */
export async function traceTurn({ pid }: Pick<Sandbox, 'pid'>, signal?: AbortSignal): Promise<() => void> {
  const name = `vethlab-trace-${process.getuid?.() ?? 0}-${pid}`
  const deadline = performance.now() + patienceMs
  for (;;) {
    const bound = await bindName(name)
    if (typeof bound === 'function') return bound
    // where no name can be bound, traces run without turns
    if (bound !== 'EADDRINUSE') return () => undefined
    if (performance.now() > deadline)
      throw new CannotRunError(`other traces have run in this lab for ${patienceMs / 1000} s`)
    await delay(lookEveryMs, undefined, signal === undefined ? {} : { signal })
  }
}
