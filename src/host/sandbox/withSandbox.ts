import type { Sandbox } from './sandbox.js'
import { startSandbox, type SandboxOptions } from './startSandbox.js'

/**
 * Calls a function with a new sandbox, and always stops the sandbox; returns the function's result. The function starts while
 * the sandbox is being created; errors of the creation reject the promise of the sandbox.
 */
export async function withSandbox<Result>(
  label: string,
  options: SandboxOptions,
  use: (sandbox: Promise<Sandbox>) => Promise<Result>,
): Promise<Result> {
  const made = startSandbox(label, options)
  made.catch(() => undefined)
  try {
    return await use(made)
  } finally {
    await made.then(
      (sandbox) => sandbox.stop(),
      () => undefined,
    )
  }
}
