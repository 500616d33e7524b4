import { setTimeout as delay } from 'node:timers/promises'
import type { Container, Pod, Probe } from '../../cluster/types.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { RunInPod } from './types.js'
import { askProbe } from './askProbe.js'

export interface PreStopOptions {
  readonly nodeNetns: string
  readonly run: RunInPod
  readonly timeoutMs: number
}

/** `lifecycle.preStop` of core/v1: runs before a container gets the signal to end. */
interface Lifecycle {
  readonly preStop?: {
    readonly sleep?: { readonly seconds?: number }
    readonly exec?: { readonly command?: readonly string[] }
    readonly httpGet?: NonNullable<Probe['httpGet']>
  }
}

/** Runs a container's preStop hook; a failed hook is ignored, as by kubelet. */
export async function runPreStop(
  sandbox: Sandbox,
  pod: Pod,
  container: Container,
  { nodeNetns, run, timeoutMs }: PreStopOptions,
): Promise<void> {
  const { preStop } = (container['lifecycle'] ?? {}) as Lifecycle
  if (preStop?.sleep !== undefined) {
    await delay(Math.min((preStop.sleep.seconds ?? 0) * 1000, timeoutMs), undefined, { ref: false })
  } else if (preStop?.exec !== undefined) {
    await run(preStop.exec.command ?? [], timeoutMs)
  } else if (preStop?.httpGet !== undefined) {
    const probe: Probe = { httpGet: preStop.httpGet, timeoutSeconds: Math.ceil(timeoutMs / 1000) }
    await askProbe(sandbox, { address: pod.status?.podIP ?? '', nodeNetns, run }, container, probe)
  }
}
