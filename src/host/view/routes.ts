import type { EventStreams, ServerEvent } from './eventStreams.js'
import { HttpError } from './httpError.js'

/** A request to a route. */
export interface Call {
  /** Whose session sends it. */
  readonly who: string
  readonly method: string
  /** What the names in braces of the route’s path are, decoded. */
  readonly segments: Readonly<Record<string, string>>
  /** Of a route that ends with `/*`: the rest of the path and the query, as they were sent. */
  readonly rest: string
  readonly query: URLSearchParams
  /** Of the request: `content-type` and `accept`. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the browser has disconnected. */
  readonly signal: AbortSignal
  /** The body as text. Throws HttpError if it is larger than `most` bytes. */
  readonly body: (most?: number) => Promise<string>
}

/** What a route answers: a reply, or a stream of events. */
export type Answer = Reply | { readonly streams: EventStreams; readonly first: readonly ServerEvent[] }

/** Text, bytes, or parts that are sent as they come. */
export interface Reply {
  readonly status?: number | undefined
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** The name under which a browser saves it. */
  readonly fileName?: string | undefined
  /** The content security policy of a page for frames of this server. */
  readonly framePolicy?: string | undefined
}

/** What the server does for requests of a method and path. */
export interface Route {
  /** `*` for all methods. */
  readonly method: string
  /** `/places/{netns}`; a path with `/*` at its end has all paths below. */
  readonly path: string
  /** The largest body, in bytes; 64 KiB by default. */
  readonly mostBytes?: number
  answer(call: Call): Promise<Answer>
}

/** The largest body of a route that sets none. */
const mostBytes = 65_536

/** Answers with one of the routes; `rest` of the call is the path and the query. Throws HttpError if there is none. */
export async function answerBelow(routes: readonly Route[], call: Call): Promise<Answer> {
  const [path = '', query = ''] = splitOnce(call.rest, '?')
  const { route, segments, rest } = findRoute(routes, call.method, path)
  return route.answer({
    ...{ ...call, segments: { ...call.segments, ...segments } },
    rest: query === '' ? rest : `${rest}?${query}`,
    body: (most) => call.body(most ?? route.mostBytes ?? mostBytes),
  })
}

/** The text before and after the first separator. */
export function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** The route of a request. Throws HttpError if there is none. */
function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly segments: Readonly<Record<string, string>>; readonly rest: string } {
  const fitting = routes.flatMap((route) => {
    const found = matchPath(route.path, path)
    return found === undefined ? [] : [{ route, ...found }]
  })
  const found = fitting.find(({ route }) => route.method === '*' || route.method === method)
  if (found !== undefined) return found
  if (fitting.length === 0) throw new HttpError(404, `there is no ${path}`)
  throw new HttpError(405, `${path} has no method ${method}`)
}

function matchPath(
  pattern: string,
  path: string,
): { readonly segments: Readonly<Record<string, string>>; readonly rest: string } | undefined {
  const isOpen = pattern.endsWith('/*')
  const wanted = (isOpen ? pattern.slice(0, -2) : pattern).split('/')
  const given = path.split('/')
  if (isOpen ? given.length <= wanted.length : given.length !== wanted.length) return undefined
  const segments: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) segments[name] = decoded(given[index] ?? '')
    else if (part !== given[index]) return undefined
  }
  return { segments, rest: isOpen ? `/${given.slice(wanted.length).join('/')}` : '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new HttpError(400, `"${text}" is not a part of a URL`)
  }
}
