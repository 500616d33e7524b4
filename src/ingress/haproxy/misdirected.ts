import { listenerNames } from '../misdirection.js'
import type { VirtualHost } from '../model.js'
import { hostCondition } from './hostCondition.js'
import type { Line } from './section.js'

/** The lines that answer 421 to requests on connections with the SNI of another listener. */
export function misdirectedLines(hosts: readonly VirtualHost[]): Line[] {
  const names = listenerNames(hosts)
  if (names.length === 0) return []
  const braced = (...words: readonly string[]) => ['{', ...words, '}']
  const named = ['if', ...braced('ssl_fc_has_sni')]
  return [
    ...names.map((name, index) => [
      ...['http-request', 'set-var(txn.listener)', `int(${index})`, ...named],
      ...['!{', 'var(txn.listener)', '-m', 'found', '}'],
      ...(name === '*' ? [] : braced('ssl_fc_sni', ...hostCondition(name, 'suffix'))),
    ]),
    ...names.map((name, index) => {
      const own = hosts.flatMap(({ listener }, site) => (listener === name ? [String(site)] : []))
      return [
        ...['http-request', 'return', 'status', 421, ...named],
        ...braced('var(txn.site)', '-m', 'int', ...own),
        ...['!{', 'var(txn.listener)', '-m', 'int', String(index), '}'],
      ]
    }),
  ]
}
