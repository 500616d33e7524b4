import type { Test } from 'tap'
import type { PreparedLab } from '../../src/lab/plan/prepareLab.js'
import type { RunningLab } from '../../src/lab/up/runningLab.js'
import type { StartOptions } from '../../src/lab/up/startOptions.js'
import { withRunningLab } from '../../src/lab/up/withRunningLab.js'

/** Starts a lab that runs until the test ends. */
export async function startLab(
  t: Test,
  prepared: PreparedLab,
  options: StartOptions = {},
): Promise<RunningLab> {
  return new Promise((resolve, reject) => {
    const removed = withRunningLab(prepared, options, (running) => {
      resolve(running)
      return new Promise<void>((end) =>
        t.teardown(() => {
          end()
          return removed
        }),
      )
    })
    removed.catch(reject)
  })
}
