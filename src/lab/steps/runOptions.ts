import type { LabEvent } from '../../results/events.js'
import type { PrepareOptions } from '../plan/prepareOptions.js'
import type { StartOptions } from '../up/startOptions.js'

/** How a lab runs. */
export interface RunOptions extends StartOptions, PrepareOptions {
  readonly onEvent?: ((event: LabEvent) => void) | undefined
  /** Awaited before each step: `--step` waits for Enter there. */
  readonly beforeStep?: ((step: string) => Promise<void>) | undefined
}
