import type { Path } from './steps.js'

/** What receives a request in the end: the receiver of the last connection, if proxies open their own. */
export function lastReceiver({ receiver, relayed }: Path): Path['receiver'] {
  return relayed?.path === undefined ? receiver : lastReceiver(relayed.path)
}
