import { createHash, randomBytes } from 'node:crypto'

/** Who may use a page: browsers that exchanged a token for the secret in their cookie. */
export interface Sessions {
  /** A token that opens one session. It is valid for a time, or until it is used. */
  invite(validMs?: number): string
  /** The secret of a new session, for a token that was not used before; else undefined. */
  redeem(token: string): string | undefined
  /** Whether a session has this secret; this counts as use of the session. */
  holds(secret: string): boolean
}

/** A session ends when it was not used for this time. */
export const idleSessionMs = 12 * 60 * 60 * 1000

/** More sessions are not kept: the one that was not used for longest ends. */
const mostSessions = 64
const mostTokens = 64

/** Sessions in memory, by `now` in milliseconds. Secrets are compared by their hashes: the time that takes reveals nothing. */
export function createSessions(now: () => number): Sessions {
  /** When tokens expire, and when sessions were used last, by hash. */
  const tokens = new Map<string, number>()
  const sessions = new Map<string, number>()
  const use = (key: string) => {
    sessions.delete(key)
    sessions.set(key, now())
  }
  return {
    invite(validMs = Infinity) {
      const token = secret()
      tokens.set(hashOf(token), now() + validMs)
      keepLast(tokens, mostTokens)
      return token
    },
    redeem(token) {
      const key = hashOf(token)
      const expires = tokens.get(key)
      tokens.delete(key)
      if (expires === undefined || expires < now()) return undefined
      const own = secret()
      use(hashOf(own))
      keepLast(sessions, mostSessions)
      return own
    },
    holds(own) {
      const key = hashOf(own)
      const used = sessions.get(key)
      if (used === undefined) return false
      if (used + idleSessionMs < now()) {
        sessions.delete(key)
        return false
      }
      use(key)
      return true
    },
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Removes the oldest entries. */
function keepLast(map: Map<string, number>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
