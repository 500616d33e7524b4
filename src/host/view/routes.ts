import { HttpError } from './httpError.js'

/** A request to a route. */
export interface Call {
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
  /** The body as text. Throws HttpError if it is too large. */
  readonly body: () => Promise<string>
}

/** What a route answers: text, bytes, or parts that are sent as they come. */
export interface Reply {
  readonly status?: number | undefined
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>
  /** The name under which a browser saves it. */
  readonly fileName?: string | undefined
}

/** What the server does for requests of a method and path. */
export interface Route {
  /** `*` for all methods. */
  readonly method: string
  /** `/places/{netns}`; a path with `/*` at its end has all paths below. */
  readonly path: string
  /** The largest body, in bytes; 64 KiB by default. */
  readonly mostBytes?: number
  answer(call: Call): Promise<Reply>
}

/** The route of a request. Throws HttpError if there is none. */
export function findRoute(
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
