import type { KubeObject } from '../../cluster/types.js'
import type { Status } from '../status.js'
import type { ObjectWrite } from './objectWrite.js'

/** The result of a write; `stale` if another write changed the object after the state that this one was based on. */
export type WriteResult =
  | { readonly object: KubeObject; readonly warnings?: readonly string[] }
  | { readonly status: Status }
  | { readonly stale: true }

/** Writes objects of the cluster that the store shows. */
export interface Writer {
  /** The bearer token of requests that may write. */
  readonly token: string
  /** Resolves when the store shows the result; the write is based on what the store shows at the call. */
  write(write: ObjectWrite): Promise<WriteResult>
}
