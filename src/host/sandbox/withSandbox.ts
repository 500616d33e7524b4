import type { Sandbox } from './sandbox.js'
import { startSandbox, type SandboxOptions } from './startSandbox.js'

/**
 * Does work with a sandbox of its own, and stops the sandbox whatever happens; returns what the work does. The work begins
 * while the sandbox is being made: whatever prevents that is thrown to what awaits the sandbox.
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
