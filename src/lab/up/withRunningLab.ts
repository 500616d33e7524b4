import { captureFile, requireCaptureFile } from '../../host/capture/captureFile.js'
import { requireTools } from '../../host/environment.js'
import { requirePolicies } from '../../host/requirements/requirePolicies.js'
import { enforcesPolicies } from '../live/followPolicies.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { readVersion } from '../../host/kubeProxy/readVersion.js'
import { unlessAborted } from '../../host/sandbox/unlessAborted.js'
import { withSandbox } from '../../host/sandbox/withSandbox.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import { atVersion } from '../plan/atVersion.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import type { RunningLab } from './runningLab.js'
import { startLab, toolsOf } from './startLab.js'
import type { StartOptions } from './startOptions.js'

export interface SandboxUse {
  /** A sandbox that the caller is starting: it is used if the lab can run in it. */
  readonly early?: Promise<Sandbox> | undefined
  /** Called with the lab's sandbox, before the lab is built in it. */
  readonly onSandbox?: (sandbox: Sandbox) => void
}

/**
 * Starts a prepared lab in its own sandbox, calls `use` with it, and always removes it; returns the result of `use`. When the signal
 * aborts, the sandbox stops, and this rejects with its reason, whatever `use` waits for. Throws CannotRunError,
 * ModeNotHereError when the host does not support the lab's mode of kube-proxy, and OtherVersionError when the lab is not
 * about the version of its kube-proxy binary.
 */
export async function withRunningLab<Result>(
  given: PreparedLab,
  options: StartOptions & SandboxUse,
  use: (running: RunningLab) => Promise<Result>,
): Promise<Result> {
  requireTools(toolsOf(given, options))
  const { lab, kubeProxy } = given
  if (options.pcap !== undefined) requireCaptureFile(captureFile(options.pcap, lab.name))
  const needs = kubeProxy.kind === 'none' ? undefined : liveModeOf(kubeProxy.mode.name).kernelNeeds
  const work = async (made: Promise<Sandbox>) => {
    const sandbox = await made
    // its first processes are vethlab's
    if (lab.limits !== undefined) sandbox.group?.limit(lab.limits)
    const version = kubeProxy.kind === 'binary' ? await readVersion(sandbox, kubeProxy.path) : undefined
    const prepared = atVersion(given, version)
    if (kubeProxy.kind !== 'none') await needs?.require(sandbox, kubeProxy.config)
    if (enforcesPolicies(prepared))
      await requirePolicies(sandbox, modeOnNodes(kubeProxy).ownTable !== undefined)
    options.onSandbox?.(sandbox)
    const running = await startLab(sandbox, prepared, options)
    try {
      return await use(running)
    } finally {
      await running.stop()
    }
  }
  const { early, signal, label = lab.name } = options
  // an early sandbox does not show the kube-proxy binary of the lab
  if (early !== undefined && needs === undefined && lab.kubeProxyBinary === undefined)
    return unlessAborted(signal, work(early))
  const show = [lab.directory, ...(kubeProxy.kind === 'binary' ? [kubeProxy.path] : [])]
  return withSandbox(label, { show, signal, asHostRoot: needs?.weakness }, (made) =>
    unlessAborted(signal, work(made)),
  )
}
