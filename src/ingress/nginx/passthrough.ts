import { joinHostPort } from '../../net/socketText.js'
import type { Listener, VirtualHost } from '../model.js'
import { escapePattern } from '../pathPattern.js'
import { hostsOf } from '../hostOrder.js'
import type { ProxySettings } from '../proxySettings.js'
import type { Definitions } from './definitions.js'
import { directive, type Directive } from './directive.js'

/** TLS passthrough: nginx reads the SNI of the client, and forwards the connection without decryption. */
export function passthroughServer(
  listeners: readonly Listener[],
  { families }: ProxySettings,
  define: Definitions,
): Directive[] {
  const [first] = listeners
  if (first === undefined) return []
  const hosts = hostsOf(listeners)
  const targets = hosts.map((host) => directive(`~*^${namePattern(host)}\\z`, [targetOf(host, define)]))
  const target = define.variable('map', 'target', '$ssl_preread_server_name', [
    directive('default', ['']),
    ...targets,
  ])
  const options = first.proxyProtocol ? ['proxy_protocol'] : []
  return [
    directive(
      'server',
      [],
      [
        ...families.map((family) =>
          directive(
            'listen',
            family === 'IPv4' ? [first.port, ...options] : [`[::]:${first.port}`, 'ipv6only=on', ...options],
          ),
        ),
        directive('ssl_preread', ['on']),
        directive('proxy_pass', [target]),
      ],
    ),
  ]
}

function namePattern({ hostname, wildcard }: VirtualHost): string {
  if (hostname === '*') return '.*'
  if (!hostname.startsWith('*.')) return escapePattern(hostname)
  return `${wildcard === 'one-label' ? '[^.]+' : '.+'}${escapePattern(hostname.slice(1))}`
}

/** The target of a host's first route; only the host name can be matched. Without a target the connection is closed. */
function targetOf({ routes: [route] }: VirtualHost, define: Definitions): string {
  if (route?.action.kind !== 'forward') return ''
  const backends = route.action.backends.filter(({ weight }) => weight > 0)
  const names = backends.map(({ endpoints }) =>
    endpoints.length === 0
      ? ''
      : define.upstream(
          endpoints.map(({ address, port }) =>
            directive('server', [joinHostPort(address, port), 'max_fails=0']),
          ),
        ),
  )
  if (names.length < 2) return names[0] ?? ''
  const total = backends.reduce((sum, { weight }) => sum + weight, 0)
  return define.variable('split_clients', 'share', '$connection $remote_addr $remote_port $msec', [
    ...backends
      .slice(0, -1)
      .map(({ weight }, index) =>
        directive(`${(Math.max(weight / total, 0.0001) * 100).toFixed(2)}%`, [names[index] ?? '']),
      ),
    directive('*', [names.at(-1) ?? '']),
  ])
}
