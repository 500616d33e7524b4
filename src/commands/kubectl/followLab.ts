import { isUp, upLab, type UpLab } from '../../up/upLab.js'
import { endOnSignals } from '../endOnSignals.js'

/**
 * Calls `follow` with a running lab, until it ends by itself, by Ctrl-C or by the removal of the lab. Errors of open requests
 * are expected then.
 */
export async function followLab(
  name: string,
  follow: (lab: UpLab, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const up = await upLab(name)
  const controller = new AbortController()
  const interrupted = endOnSignals(controller)
  try {
    await follow(up, controller.signal)
  } catch (error) {
    if (interrupted.code === undefined && (await isUp(up))) throw error
  } finally {
    if (interrupted.code !== undefined) process.exitCode = interrupted.code
    interrupted.forget()
  }
}
