import { StatusError } from '../../src/apiserver/status.js'

/** The Status that a call is refused with; undefined when it is not. */
export function refusal(run: () => unknown): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof StatusError) return error.status
    throw error
  }
}
