import type { Step, StepAction } from '../../types.js'
import type { Refusal } from '../kind.js'

/** Requests of which the kernel’s trace is read: the destination of a command is not known. */
export const tracedActions: readonly StepAction['kind'][] = ['curl', 'nc', 'ping']

/** An expectation about the path of one request is invalid in a step that repeats it. */
export function oneRequest({ repeat }: Pick<Step, 'repeat'>): Refusal | undefined {
  if (repeat === 1) return undefined
  return {
    message: `repeat ${repeat} does not apply to the path of one request`,
    hint: 'write a step without repeat',
  }
}
