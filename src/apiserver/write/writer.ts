import type { ObjectWrite } from '../../cluster/changes/writeObject.js'
import type { KubeObject } from '../../cluster/types.js'
import type { Status } from '../status.js'

/** The result of a write; `stale` when the object was changed after the state that the write is based on. */
export type WriteResult =
  { readonly object: KubeObject } | { readonly status: Status } | { readonly stale: true }

/** Writes objects of the cluster that the store shows. */
export interface Writer {
  /** The bearer token of requests that may write. */
  readonly token: string
  /** Resolves when the store contains the result. */
  write(write: ObjectWrite): Promise<WriteResult>
}
