import { StatusError } from '../../apiserver/status.js'
import { StaleWrite, type WriteMade } from '../../apiserver/write/makeWrite.js'
import type { WriteResult } from '../../apiserver/write/writer.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'
import type { EditQueue } from './editQueue.js'

/** Makes a write in a queue of edits; a write that is not made is a result, not an error. */
export async function writeLive(
  edits: Pick<EditQueue, 'edit'>,
  make: (cluster: Cluster) => WriteMade,
): Promise<WriteResult> {
  let object: KubeObject | undefined
  try {
    await edits.edit((cluster) => {
      const made = make(cluster)
      object = made.object
      return made.cluster
    })
  } catch (error) {
    if (error instanceof StatusError) return { status: error.status }
    if (!(error instanceof StaleWrite)) throw error
    // Listeners see the edit that was faster before the write is evaluated again.
    await edits.edit((cluster) => cluster)
    return { stale: true }
  }
  if (object === undefined) throw new Error('the edit was not made')
  return { object }
}
