import type { Store } from '../../apiserver/store.js'
import type { Anonymous } from '../../apiserver/authorize.js'
import type { WatchLine } from './watchLines.js'
import type { Writer } from '../../apiserver/write/writer.js'
import type { Clock } from '../../clock.js'
import type { PodAccess } from './pods/access.js'
import type { Dialled } from './pods/dial.js'
import type { LogTimes } from './pods/logTimes.js'

/** What the handling of a request needs from the server. */
export interface Serving {
  readonly store: Store
  readonly gitVersion: string
  readonly bookmarkSeconds: number
  readonly maxUnreadBytes: number
  readonly line: WatchLine
  readonly clock: Clock
  /** Functions that end the running watches, logs and commands. */
  readonly watches: Set<() => void>
  /** Undefined for a read-only server. */
  readonly writer: Writer | undefined
  /** What a server with a writer allows without its token. */
  readonly anonymous: Anonymous
  /** Undefined for a server that only shows objects. */
  readonly pods: PodAccess | undefined
  /** Connects to an address of a pod; undefined for a server that only shows objects. */
  readonly dial: ((address: string, port: number) => Dialled) | undefined
  /** Undefined when the times of lines are not known. */
  readonly logTimes: LogTimes | undefined
}
