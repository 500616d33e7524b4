import { StatusError, type Status } from '../../apiserver/status.js'
import { makeWrites, StaleWrite, type WritesMade } from '../../apiserver/write/makeWrites.js'
import type { ObjectWrite } from '../../apiserver/write/objectWrite.js'
import { statusOfInput } from '../../apiserver/write/writeErrors.js'
import type { WriteResult } from '../../apiserver/write/writer.js'
import type { ClusterOptions } from '../../cluster/cluster.js'
import { kindOf } from '../../cluster/kinds/index.js'
import type { Cluster, KubeObject } from '../../cluster/types.js'
import { InputError } from '../../errors.js'
import type { EditQueue } from './editQueue.js'
import type { LiveCluster } from './types.js'

type LiveWrites = Pick<LiveCluster, 'write' | 'followed'>

/** The writes of a running cluster, made in a queue of edits. */
export function liveWrites(edits: Pick<EditQueue, 'edit'>, options: ClusterOptions): LiveWrites {
  return {
    async write(writes, seen) {
      let made: WritesMade | undefined
      await edits.edit((cluster) => {
        made = makeWrites(cluster, writes, { ...options, now: new Date().toISOString(), seen })
        return made.cluster
      })
      if (made === undefined) throw new Error('the edit was not made')
      return made
    },
    // an empty edit waits for the edits before it
    followed: () => edits.edit((cluster) => cluster),
  }
}

/** Makes a write of the Kubernetes API that is based on a snapshot; a write that is not made is a result, not an error. */
export async function apiWrite(
  live: LiveWrites,
  write: ObjectWrite,
  seen: Cluster | undefined,
): Promise<WriteResult> {
  try {
    const { object, warnings } = await live.write([write], seen)
    return { object: object as KubeObject, warnings }
  } catch (error) {
    if (error instanceof InputError) return { status: statusOf(error, write) }
    if (error instanceof StatusError) return { status: error.status }
    if (!(error instanceof StaleWrite)) throw error
    // Listeners see the edit that was faster before the write is evaluated again.
    await live.followed()
    return { stale: true }
  }
}

/** The Status of an error of the cluster. */
function statusOf(error: InputError, write: ObjectWrite): Status {
  if ('ref' in write) return statusOfInput(error, kindOf(write.ref.kind), write.ref.name).status
  const { kind, metadata } = 'object' in write ? write.object : write.manifest.object
  return statusOfInput(error, kindOf(kind), metadata.name).status
}
