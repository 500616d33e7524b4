import { InputError, type KnownError } from '../../errors.js'
import type { LabEvent } from '../../results/events.js'
import type { OpenReport } from './openReport.js'

/** The event of a lab that cannot run; its file is that of the first problem, otherwise the given one. */
export function labError(lab: string, error: KnownError, file?: string): LabEvent {
  const at = error instanceof InputError ? error.problems.find((problem) => problem.at)?.at : undefined
  return { type: 'lab-error', lab, error: error.message, file: at?.file ?? file }
}

/** Called for each lab that is invalid. */
export type OnInvalid = (lab: string, error: InputError) => void

/**
 * Reads labs with `read`, which calls `onInvalid` for each invalid one and then throws. These labs are reported before the
 * error is thrown on, so that a reader of the report sees why nothing ran.
 */
export async function reportingInvalid<Result>(
  open: () => OpenReport,
  read: (onInvalid: OnInvalid) => Result,
): Promise<Result> {
  const invalid: LabEvent[] = []
  try {
    return read((lab, error) => invalid.push(labError(lab, error)))
  } catch (error) {
    if (invalid.length > 0) {
      const { report, finish } = open()
      for (const event of invalid) report.on(event)
      await finish()
    }
    throw error
  }
}
