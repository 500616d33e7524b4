import type { LabModel } from '../snapshot/model/snapshot.js'
import { receivedModel } from '../snapshot/file/sentModel.js'
import { hostPrograms } from '../host/programs.js'
import { sendOrder } from './sendOrder.js'
import type { UpLab } from './upLab.js'

/** The objects and places of a running lab now, and who writes its rules. Throws what `sendOrder` throws. */
export async function readModel({ holder }: UpLab): Promise<LabModel> {
  const answer = await sendOrder(holder, { do: 'model' })
  if (!('model' in answer)) throw new Error('the process that holds the lab sent an unexpected answer')
  return receivedModel(answer.model, hostPrograms())
}
