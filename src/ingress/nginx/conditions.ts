import type { Match, Route } from '../model.js'
import { escapePattern } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive } from './directive.js'

/**
 * What a route asks of a request beside its path, as variables that are 1 where it holds and 0 where it does not.
 * Values are matched by regular expressions throughout, as a map compares plain text without regard to case.
 */
export function conditions({ method, headers, query }: Route, define: Definitions): string[] {
  return [
    ...(method === undefined ? [] : [flag('$request_method', `^${escapePattern(method)}\\z`, define)]),
    ...headers.map((match) => flag(headerVariable(match.name), `^${valuePattern(match)}\\z`, define)),
    ...query.map((match) => flag('$args', queryPattern(match), define)),
  ]
}

/** The variable that holds a header of the request. */
export function headerVariable(name: string): string {
  return `$http_${name.toLowerCase().replaceAll('-', '_')}`
}

function flag(source: string, pattern: string, define: Definitions): string {
  return define.variable('map', 'asked', source, [directive('default', [0]), directive(`~${pattern}`, [1])])
}

function valuePattern({ type, value }: Match): string {
  return type === 'Exact' ? escapePattern(value) : `(?:${value})`
}

/** A parameter in the query as it came: each byte of a name and of an exact value may be percent-encoded. */
function queryPattern({ type, name, value }: Match): string {
  const wanted = type === 'Exact' ? encodedPattern(value) : `(?:${value})`
  return `(?:^|&)${encodedPattern(name)}=${wanted}(?:&|\\z)`
}

function encodedPattern(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const encoded = `%(?i:${byte.toString(16).padStart(2, '0')})`
      if (byte === 0x20) return `(?:\\+|${encoded})`
      return byte < 0x80 ? `(?:${escapePattern(String.fromCharCode(byte))}|${encoded})` : encoded
    })
    .join('')
}
