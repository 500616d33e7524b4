import type { Route } from '../model.js'
import { escapePattern } from '../pathPattern.js'
import { queryPattern, valuePattern } from '../queryPattern.js'
import type { Definitions } from './definitions.js'
import { directive } from './directive.js'

/**
 * What a route asks of a request beside its path, as variables that are 1 where it holds and 0 where it does not.
 * Values are matched by regular expressions throughout, as a map compares plain text without regard to case.
 */
export function conditions({ method, headers, query }: Route, define: Definitions): string[] {
  return [
    ...(method === undefined ? [] : [flag('$request_method', `^${escapePattern(method)}\\z`, define)]),
    ...headers.map((match) => flag(headerVariable(match.name), valuePattern(match), define)),
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
