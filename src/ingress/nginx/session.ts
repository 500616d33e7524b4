import { escapePattern } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, literal } from './directive.js'

/** A session kept by a cookie: what its requests have in common, and the cookie that a new one is given. */
export interface Session {
  readonly key: string
  /** Empty where the client has one. */
  readonly newCookie: string
}

/**
 * The cookie is an id of nginx's making; the upstream is chosen by a consistent hash of it, so that few sessions move
 * when endpoints come and go.
 */
export function sessionOf({ cookie }: { readonly cookie: string }, define: Definitions): Session {
  const pattern = `~(?:^|;\\s*)${escapePattern(cookie)}=([A-Za-z0-9]{1,64})(?:;|\\z)`
  return {
    key: define.variable('map', 'session', '$http_cookie', [
      directive('default', ['$request_id']),
      directive(pattern, ['$1']),
    ]),
    newCookie: define.variable('map', 'cookie', '$http_cookie', [
      directive('default', [`${literal(cookie)}=$request_id; Path=/; HttpOnly`]),
      directive(pattern, ['']),
    ]),
  }
}
