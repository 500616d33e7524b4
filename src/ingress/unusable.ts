import ipaddr from 'ipaddr.js'
import type { Header, HeaderModifier, PathRewrite, Route, WeightedBackend } from './model.js'
import { patternProblem } from './patternProblem.js'

/** Longest text of a user's that is put into a configuration: nginx takes no parameter of 4096 bytes and more. */
const longestText = 1000

/** Why no proxy can be told of this route, whatever else it can do; empty for nearly all. */
export function unusable(route: Route): string[] {
  const { path, method, headers, query, allowFrom } = route
  const matches = [...headers, ...query]
  return [
    ...(path.type === 'RegularExpression' ? pattern('the path', path.value) : text('the path', path.value)),
    ...(method === undefined || isToken(method) ? [] : [`the method ${show(method)} is none`]),
    ...headers.flatMap(({ name }) => token('the header', name)),
    ...query.flatMap(({ name }) => text('the parameter', name)),
    ...matches.flatMap(({ type, name, value }) =>
      type === 'Exact'
        ? text(`the value of ${show(name)}`, value)
        : pattern(`the value of ${show(name)}`, value),
    ),
    ...(allowFrom ?? [])
      .filter((range) => !isRange(range))
      .map((range) => `${show(range)} is no address range`),
    ...modifiers(route).flatMap(modifierProblems),
    ...actionProblems(route),
  ]
}

/** A name that DNS could hold, and `*` in place of its first label or of all. */
export function isHostname(name: string): boolean {
  return (
    name === '*' ||
    (/^(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i.test(name) &&
      name.length <= 253)
  )
}

function actionProblems({ action, rewrite, mirror }: Route): string[] {
  return [
    ...hostnameProblem(rewrite?.hostname),
    ...pathProblems(rewrite?.path),
    ...(action.kind === 'redirect'
      ? [...hostnameProblem(action.hostname), ...pathProblems(action.path)]
      : []),
    ...(action.kind === 'forward' ? token('the cookie', action.affinity?.cookie ?? 'none') : []),
    ...[...(mirror ?? []), ...(action.kind === 'forward' ? action.backends : [])].flatMap(addressProblems),
  ]
}

function addressProblems({ endpoints }: WeightedBackend): string[] {
  return endpoints
    .filter(({ address }) => !ipaddr.isValid(address))
    .map(({ address }) => `${show(address)} is no address`)
}

function pathProblems(path: PathRewrite | undefined): string[] {
  return path === undefined ? [] : text('the new path', path.value)
}

function hostnameProblem(hostname: string | undefined): string[] {
  return hostname === undefined || isHostname(hostname) ? [] : [`${show(hostname)} is no host name`]
}

/** Every change of headers that a route asks for. */
export function modifiers({ requestHeaders, responseHeaders, action }: Route): HeaderModifier[] {
  const backends = action.kind === 'forward' ? action.backends : []
  return [requestHeaders, responseHeaders]
    .concat(...backends.map((backend) => [backend.requestHeaders, backend.responseHeaders]))
    .filter((modifier) => modifier !== undefined)
}

function modifierProblems({ set, add, remove }: HeaderModifier): string[] {
  const headers: readonly Header[] = [...set, ...add]
  return [
    ...[...headers.map(({ name }) => name), ...remove].flatMap((name) => token('the header', name)),
    ...headers.flatMap(({ name, value }) => text(`the value of ${show(name)}`, value)),
  ]
}

function token(what: string, name: string): string[] {
  return isToken(name) ? [] : [`${what} ${show(name)} has a name that none may have`]
}

/** What HTTP calls a token, of characters that no configuration gives a meaning to. */
function isToken(name: string): boolean {
  return /^[\w.~!^+-]{1,256}$/.test(name)
}

function pattern(what: string, value: string): string[] {
  const problem = patternProblem(value)
  return problem === undefined ? text(what, value) : [`${what} cannot be matched: ${problem}`]
}

function text(what: string, value: string): string[] {
  if (/[\u0000-\u001f\u007f]/.test(value)) return [`${what} holds a control character`]
  return Buffer.byteLength(value) > longestText ? [`${what} is longer than ${longestText} bytes`] : []
}

function isRange(range: string): boolean {
  return ipaddr.isValid(range) || ipaddr.isValidCIDR(range)
}

function show(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}
