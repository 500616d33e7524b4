import { escapePattern } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, literal } from './directive.js'

/** A session by cookie: the key that its requests share, and the cookie for a new session. */
export interface Session {
  readonly key: string
  /** Empty if the client has a cookie. */
  readonly newCookie: string
}

/**
 * The cookie is an ID that nginx generates; a consistent hash of it selects the endpoint, so that few sessions move when
 * endpoints change.
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
