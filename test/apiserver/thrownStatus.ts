import { StatusError } from '../../src/apiserver/status.js'

/** The Status that a call throws; undefined when it succeeds. */
export function thrownStatus(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
}
