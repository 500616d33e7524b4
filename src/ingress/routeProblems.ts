import { addressFamily, isAddressOrRange } from '../net/ranges.js'
import type { Header, HeaderModifier, PathRewrite, Route, WeightedBackend } from './model.js'

/** Maximum bytes of a user's text in a configuration: nginx rejects parameters of 4096 bytes and more. */
const longestText = 1000

/** Why no proxy supports this route; empty for nearly all routes. */
export function routeProblems(route: Route): string[] {
  const { path, method, headers, query, allowFrom } = route
  const matches = [...headers, ...query]
  return [
    ...(path.type === 'RegularExpression'
      ? pattern('the path', path.value)
      : textProblems('the path', path.value)),
    ...(method === undefined || isToken(method) ? [] : [`${show(method)} is not a valid method`]),
    ...headers.flatMap(({ name }) => token('the header', name)),
    ...query.flatMap(({ name }) => textProblems('the parameter', name)),
    ...matches.flatMap(({ type, name, value }) =>
      type === 'Exact'
        ? textProblems(`the value of ${show(name)}`, value)
        : pattern(`the value of ${show(name)}`, value),
    ),
    ...(allowFrom ?? [])
      .filter((range) => !isAddressOrRange(range))
      .map((range) => `${show(range)} is not an address range`),
    ...modifiers(route).flatMap(modifierProblems),
    ...actionProblems(route),
  ]
}

/** True for a valid DNS name, also with `*` as its first label, and for `*`. */
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
    .filter(({ address }) => addressFamily(address) === undefined)
    .map(({ address }) => `${show(address)} is not an IP address`)
}

function pathProblems(path: PathRewrite | undefined): string[] {
  return path === undefined ? [] : textProblems('the new path', path.value)
}

function hostnameProblem(hostname: string | undefined): string[] {
  return hostname === undefined || isHostname(hostname) ? [] : [`${show(hostname)} is not a valid host name`]
}

/** All header modifiers of a route. */
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
    ...headers.flatMap(({ name, value }) => textProblems(`the value of ${show(name)}`, value)),
  ]
}

function token(what: string, name: string): string[] {
  return isToken(name) ? [] : [`${what} ${show(name)} has an invalid name`]
}

/** True for an HTTP token without characters that have a meaning in configurations. */
function isToken(name: string): boolean {
  return /^[\w.~!^+-]{1,256}$/.test(name)
}

function pattern(what: string, value: string): string[] {
  const problem = patternProblem(value)
  return problem === undefined ? textProblems(what, value) : [`${what} cannot be matched: ${problem}`]
}

function textProblems(what: string, value: string): string[] {
  if (/[\u0000-\u001f\u007f]/.test(value)) return [`${what} contains a control character`]
  return Buffer.byteLength(value) > longestText ? [`${what} is longer than ${longestText} bytes`] : []
}

function show(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}

/**
 * Why a user's regular expression cannot be used in a proxy's configuration; undefined if it can. Accepted expressions
 * compile in PCRE and in JavaScript and mean the same: one that does not compile would make the whole configuration
 * invalid, and one with an open quote or group would change the text around it.
 */
function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern)
  } catch {
    return 'it is not a regular expression'
  }
  const escape = /\\(?:[A-Za-z0-9]|$)/g
  for (const [found] of pattern.replaceAll('\\\\', '').matchAll(escape))
    if (!/^\\[dDwWsSbBtnrfv]$/.test(found)) return `it contains ${found}`
  // escaped characters are literal, and a class cannot be the end of a range
  const bare = pattern.replace(/\\[dDwWsS]/g, '\u0001').replace(/\\[^]/g, 'x')
  const [found] = /\[\^?\]|\[[.:=]|\(\*|\(\?(?![:=!])|\u0001-[^\]]|-\u0001|\{\d{4}|,\d{4}/.exec(bare) ?? []
  return found === undefined ? undefined : `it contains ${found.replaceAll('\u0001', 'a class')}`
}
