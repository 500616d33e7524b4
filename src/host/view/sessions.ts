import { createHash, randomBytes } from 'node:crypto'

/** Who may use a page: browsers that exchanged a token for the secret in their cookie. */
export interface Sessions {
  /** A token that opens one session of somebody. It is valid for a time, or until it is used. */
  invite(who: string, validMs?: number): string
  /** The secret of a new session, for a token that was not used before, or that of a link; else undefined. */
  redeem(token: string): string | undefined
  /** Whose session has this secret; this counts as use of the session. */
  holder(secret: string): string | undefined
  /** Ends the sessions and tokens of somebody. */
  end(who: string): void
}

/** A session ends when it was not used for this time. */
export const idleSessionMs = 12 * 60 * 60 * 1000

/** More sessions are not kept: the one that was not used for longest ends. */
const mostSessions = 64
const mostTokens = 64

/** Whose link has a token with this hash. Links are valid as long as this returns somebody, for any number of sessions. */
export type LinkHolder = (hash: string) => string | undefined

/** A session as it is kept over a restart of the server: the secret is not known from it. */
export interface KeptSession {
  /** Of the secret. */
  readonly hash: string
  readonly who: string
  /** When it was used last, in milliseconds. */
  readonly used: number
}

/** Where sessions are kept. */
export interface SessionKeeper {
  /** Those of the server before. */
  readonly before: readonly KeptSession[]
  /** Called with each new session, and from time to time while sessions are used. */
  keep(sessions: readonly KeptSession[]): void
}

/** The time of the last use is kept this often, in milliseconds. */
const keepEveryMs = 60_000

/** Sessions in memory, by `now` in milliseconds. Secrets are compared by their hashes: the time that takes reveals nothing. */
export function createSessions(
  now: () => number,
  {
    links = () => undefined,
    most = mostSessions,
    keeper,
  }: { links?: LinkHolder; most?: number; keeper?: SessionKeeper } = {},
): Sessions {
  const tokens = new Map<string, { readonly who: string; readonly expires: number }>()
  const sessions = new Map<string, { readonly who: string; readonly used: number }>()
  for (const { hash, who, used } of keeper?.before ?? []) sessions.set(hash, { who, used })
  let keptAt = now()
  const use = (key: string, who: string) => {
    sessions.delete(key)
    sessions.set(key, { who, used: now() })
  }
  const keep = () => {
    keptAt = now()
    keeper?.keep([...sessions].map(([hash, session]) => ({ hash, ...session })))
  }
  return {
    invite(who, validMs = Infinity) {
      const token = newToken()
      tokens.set(tokenHash(token), { who, expires: now() + validMs })
      keepLast(tokens, mostTokens)
      return token
    },
    redeem(token) {
      const key = tokenHash(token)
      const found = tokens.get(key)
      tokens.delete(key)
      const who = found !== undefined && found.expires >= now() ? found.who : links(key)
      if (who === undefined) return undefined
      const own = newToken()
      use(tokenHash(own), who)
      keepLast(sessions, most)
      keep()
      return own
    },
    holder(own) {
      const key = tokenHash(own)
      const found = sessions.get(key)
      if (found === undefined) return undefined
      if (found.used + idleSessionMs < now()) {
        sessions.delete(key)
        return undefined
      }
      use(key, found.who)
      if (keptAt + keepEveryMs < now()) keep()
      return found.who
    },
    end(who) {
      for (const map of [tokens, sessions])
        for (const [key, found] of map) if (found.who === who) map.delete(key)
      keep()
    },
  }
}

/** A secret of 256 bits, as a part of a URL. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Removes the oldest entries. */
function keepLast(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
