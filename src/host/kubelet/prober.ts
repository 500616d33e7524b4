import { setTimeout as delay } from 'node:timers/promises'
import type { Probe } from '../../cluster/types.js'

export interface ProberOptions {
  readonly probe: Probe
  /** Start without initialDelaySeconds, for the pods of a lab that starts. */
  readonly atOnce: boolean
  readonly ask: () => Promise<boolean>
  /** Called when successThreshold or failureThreshold is reached, and again each time that the result changes. */
  readonly onVerdict: (holds: boolean) => void
}

/** Runs a probe repeatedly. */
export interface Prober {
  /** Resolves when the probe has run once or was stopped. */
  readonly asked: Promise<void>
  stop(): void
}

/** Runs a probe of one container every periodSeconds; enough equal results in a row change the verdict (prober/worker.go). */
export function startProber({ probe, atOnce, ask, onVerdict }: ProberOptions): Prober {
  const controller = new AbortController()
  const { signal } = controller
  const { initialDelaySeconds = 0, periodSeconds = 10 } = probe
  const needed = (holds: boolean) => (holds ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3))
  let resolveAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (resolveAsked = resolve))
  const wait = (seconds: number) => delay(seconds * 1000, undefined, { signal, ref: false })

  async function loop(): Promise<void> {
    if (!atOnce && initialDelaySeconds > 0) await wait(initialDelaySeconds)
    let verdict: boolean | undefined
    let last: boolean | undefined
    let same = 0
    while (!signal.aborted) {
      const answer = await ask()
      if (signal.aborted) return
      same = answer === last ? same + 1 : 1
      last = answer
      if (answer !== verdict && same >= needed(answer)) {
        verdict = answer
        onVerdict(verdict)
      }
      resolveAsked()
      await wait(periodSeconds)
    }
  }
  void loop()
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    .finally(() => resolveAsked())
  return { asked, stop: () => controller.abort() }
}
