import { listenerNames } from '../misdirection.js'
import type { VirtualHost } from '../model.js'
import { escapePattern } from '../pathPattern.js'
import type { Definitions } from './definitions.js'
import { directive, type Directive } from './directive.js'

/** The directives that answer 421 to requests on connections with the SNI of another listener. */
export function misdirected(
  { listener }: VirtualHost,
  hosts: readonly VirtualHost[],
  define: Definitions,
): Directive[] {
  const names = listenerNames(hosts)
  if (listener === undefined || names.length === 0) return []
  const verdict = (name: string | undefined) => (name === listener ? 0 : 1)
  const variable = define.variable('map', 'misdirected', '$ssl_server_name', [
    directive('default', [verdict(names.find((name) => name === '*'))]),
    // connections without SNI are accepted
    directive('', [0]),
    ...names
      .filter((name) => name !== '*')
      .map((name) => directive(`~*^${namePattern(name)}\\z`, [verdict(name)])),
  ])
  return [directive('if', [`(${variable})`], [directive('return', [421])])]
}

function namePattern(name: string): string {
  return name.startsWith('*.') ? `.+${escapePattern(name.slice(1))}` : escapePattern(name)
}
