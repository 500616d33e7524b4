import { requireTools } from '../../host/environment.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { withSandbox } from '../../host/sandbox/withSandbox.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { RunningLab } from './runningLab.js'
import { startLab, toolsOf } from './startLab.js'
import type { StartOptions } from './startOptions.js'

export interface SandboxUse {
  /** A sandbox of the caller's, being made: it is used if the lab can run in it. */
  readonly early?: Promise<Sandbox> | undefined
  /** Called when the lab has its sandbox, before anything is built in it. */
  readonly onSandbox?: (sandbox: Sandbox) => void
}

/**
 * Starts a prepared lab in a sandbox of its own, does work with it, and removes it whatever happens; returns what the work
 * does. When the signal aborts, the sandbox stops at once, and everything that waits for it rejects. Throws CannotRunError,
 * and ModeNotHereError where this host does not have what the lab's mode of kube-proxy needs.
 */
export async function withRunningLab<Result>(
  prepared: PreparedLab,
  options: StartOptions & SandboxUse,
  use: (running: RunningLab) => Promise<Result>,
): Promise<Result> {
  requireTools(toolsOf(prepared, options))
  const { lab, kubeProxy } = prepared
  const builtIn = kubeProxy.kind === 'built-in' ? kubeProxy : undefined
  const needs = builtIn && liveModeOf(builtIn.mode.name).kernelNeeds
  const work = async (made: Promise<Sandbox>) => {
    const sandbox = await made
    if (builtIn !== undefined) await needs?.require(sandbox, builtIn.config)
    options.onSandbox?.(sandbox)
    const running = await startLab(sandbox, prepared, options)
    try {
      return await use(running)
    } finally {
      await running.stop()
    }
  }
  const { early, signal, label = lab.name } = options
  // one that is being made already shows no kube-proxy that the lab names
  if (early !== undefined && needs === undefined && lab.kubeProxyBinary === undefined) return work(early)
  const show = [lab.directory, ...(kubeProxy.kind === 'binary' ? [kubeProxy.path] : [])]
  return withSandbox(label, { show, signal, asHostRoot: needs?.weakness }, work)
}
