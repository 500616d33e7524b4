import { setTimeout as delay } from 'node:timers/promises'
import type { Probe } from '../../cluster/types.js'

export interface ProberOptions {
  readonly probe: Probe
  /** Begin at once, whatever initialDelaySeconds says: the pods of a lab that comes up. */
  readonly atOnce: boolean
  readonly ask: () => Promise<boolean>
  /** Told when so many equal answers in a row have come as the probe asks for, and again when it turns. */
  readonly onVerdict: (holds: boolean) => void
}

/** Asks again and again. */
export interface Prober {
  /** Resolves when it has asked once, or was stopped. */
  readonly asked: Promise<void>
  stop(): void
}

/** A probe of one container: asked every periodSeconds; so many answers in a row make the verdict (prober/worker.go). */
export function startProber({ probe, atOnce, ask, onVerdict }: ProberOptions): Prober {
  const controller = new AbortController()
  const { signal } = controller
  const { initialDelaySeconds = 0, periodSeconds = 10 } = probe
  const needed = (holds: boolean) => (holds ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3))
  let tellAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (tellAsked = resolve))
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
      tellAsked()
      await wait(periodSeconds)
    }
  }
  void loop()
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    .finally(() => tellAsked())
  return { asked, stop: () => controller.abort() }
}
