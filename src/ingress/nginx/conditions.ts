import type { Route } from '../model.js'
import { escapePattern } from '../pathPattern.js'
import { queryPattern, valuePattern } from '../queryPattern.js'
import type { Definitions } from './definitions.js'
import { directive } from './directive.js'

/**
 * The conditions of a route besides the path, as variables that are 1 if they match and 0 if not. Values are always
 * matched with regular expressions, because a map compares plain text case-insensitively.
 */
export function conditions({ method, headers, query }: Route, define: Definitions): string[] {
  return [
    ...(method === undefined ? [] : [flag('$request_method', `^${escapePattern(method)}\\z`, define)]),
    ...headers.map((match) => flag(headerVariable(match.name), valuePattern(match), define)),
    ...query.map((match) => flag('$args', queryPattern(match), define)),
  ]
}

/** The variable with a header of the request. */
export function headerVariable(name: string): string {
  return `$http_${name.toLowerCase().replaceAll('-', '_')}`
}

function flag(source: string, pattern: string, define: Definitions): string {
  return define.variable('map', 'match', source, [directive('default', [0]), directive(`~${pattern}`, [1])])
}
