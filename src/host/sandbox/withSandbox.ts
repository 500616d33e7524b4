import * as z from 'zod'
import { callback, checkArguments, nonEmpty } from '../../text/checkArguments.js'
import type { Sandbox } from './sandbox.js'
import { startSandbox, type SandboxOptions } from './startSandbox.js'
import { endedSoon } from './unlessAborted.js'

/** How long the end of a sandbox is waited for after the signal. */
const endMs = 500

const shape = {
  label: nonEmpty,
  options: z.strictObject({
    asHostRoot: nonEmpty.optional(),
    show: z.array(nonEmpty).optional(),
    signal: z.instanceof(AbortSignal).optional(),
  }),
  use: callback,
}

/**
 * Calls a function with a new sandbox, and always stops the sandbox; returns the function's result. The function starts while
 * the sandbox is being created; errors of the creation reject the promise of the sandbox. After the signal it may return a moment
 * before the kernel has removed the sandbox, which ends by itself.
 */
export async function withSandbox<Result>(
  label: string,
  options: SandboxOptions,
  use: (sandbox: Promise<Sandbox>) => Promise<Result>,
): Promise<Result> {
  checkArguments('withSandbox', shape, { label, options, use })
  const made = startSandbox(label, options)
  made.catch(() => undefined)
  try {
    return await use(made)
  } finally {
    const stopped = made.then(
      (sandbox) => sandbox.stop(),
      () => undefined,
    )
    await endedSoon(options.signal, endMs, stopped)
  }
}
