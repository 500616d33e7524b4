import type { Order, StepOutcome } from '../up/order.js'
import { sendOrder } from '../up/sendOrder.js'
import type { UpLab } from '../up/upLab.js'

/** Has the holder of an exercise's lab carry out a part of the exercise; returns the result of each step. */
export async function askOfExercise(
  { holder }: UpLab,
  part: Extract<Order, { do: 'exercise' }>['part'],
): Promise<readonly StepOutcome[]> {
  const answer = await sendOrder(holder, { do: 'exercise', part })
  return 'outcomes' in answer ? answer.outcomes : []
}
