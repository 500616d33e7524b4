import { certificateFiles, certificatePaths, defaultCertificate } from '../certificateFiles.js'
import { byPort } from '../hostOrder.js'
import type { ProxyConfiguration, VirtualHost } from '../model.js'
import { statusSocket, type ConfigurationFile, type ProxySettings } from '../proxySettings.js'
import { noRoute, portSections, type FrontendContext } from './frontends.js'
import { passthroughSections } from './passthrough.js'
import { renderSections, type Line, type Section } from './section.js'
import { supportedByHaproxy } from './unsupported.js'

/** Name of the file that HAProxy is started with. */
export const haproxyFile = 'haproxy.cfg'

/**
 * What HAProxy (2.6 and later) reads to do what a proxy is to do. Names of sockets in it are below the folder that
 * HAProxy is started in: it can be several replicas' configuration.
 */
export function haproxyConfiguration(
  given: ProxyConfiguration,
  settings: ProxySettings,
): ConfigurationFile[] {
  const configuration = supportedByHaproxy(given)
  const { listeners } = configuration
  const lists: ConfigurationFile[] = []
  const certificate = certificatePaths(configuration, settings.folder)
  const numbers = new Map<string, number>()
  const context: FrontendContext = {
    settings,
    routeNumber(route) {
      const key = JSON.stringify(route)
      const number = numbers.get(key) ?? numbers.size + 1
      numbers.set(key, number)
      return number
    },
    tls: (hosts, port) => {
      const text = certificateList(hosts, certificate)
      if (text === '') return undefined
      const name = `certificates-${port}.list`
      lists.push({ name, text })
      return ['ssl', 'crt-list', `${settings.folder}/${name}`, 'alpn', 'h2,http/1.1']
    },
  }
  const ended = listeners.filter(({ protocol }) => protocol !== 'TLS')
  const passed = byPort(listeners.filter(({ protocol }) => protocol === 'TLS'))
  const passedPorts = new Set(passed.flatMap(([first]) => first?.port ?? []))
  const socketOf = (port = 0) => `https-${port}.sock`
  const sections = [
    ...main(settings),
    ...byPort(ended).flatMap((port) =>
      portSections(port, passedPorts.has(port[0]?.port ?? 0) ? socketOf(port[0]?.port) : undefined, context),
    ),
    ...passed.flatMap((port) =>
      passthroughSections(
        port,
        ended.some((other) => other.port === port[0]?.port) ? socketOf(port[0]?.port) : undefined,
        context,
      ),
    ),
    noRoute,
  ]
  // a route on several ports has its backends once
  const text = renderSections([...new Map(sections.map((one) => [one.head.join(' '), one])).values()])
  return [{ name: haproxyFile, text }, ...lists, ...certificateFiles(configuration)]
}

/**
 * The first certificate is shown to whom no other is for: the default one, or the one of all hosts. Hosts that have the
 * same are named only where a wildcard's certificate would be theirs: each line makes a TLS context, which takes time.
 */
function certificateList(
  hosts: readonly VirtualHost[],
  path: (id: string | undefined) => string | undefined,
): string {
  const first = path(hosts.find(({ hostname }) => hostname === '*')?.certificate ?? defaultCertificate)
  const named = hosts
    .filter(({ hostname }) => hostname !== '*')
    .map(({ hostname, certificate }) => ({
      name: hostname.toLowerCase(),
      file: path(certificate) ?? first,
    }))
    .filter(({ file }) => file !== undefined)
  const others = named.filter(({ file }) => file !== first)
  const wildcards = others.filter(({ name }) => name.startsWith('*.'))
  const needed = named.filter(
    (one) => others.includes(one) || wildcards.some(({ name }) => one.name.endsWith(name.slice(1))),
  )
  // without a name of its own it would be shown for all that it was made out to
  return [...(first === undefined ? [] : [{ name: 'default.invalid', file: first }]), ...needed]
    .map(({ name, file }) => `${file} ${name}\n`)
    .join('')
}

function main({ generation }: ProxySettings): Section[] {
  const log = {
    ...{ time: '%Ts.%ms', id: json('txn.id'), client: '%ci:%cp', host: json('txn.authority'), method: '%HM' },
    ...{
      path: json('txn.uri'),
      route: json('txn.route'),
      from: '%bi:%bp',
      upstream: '%si:%sp',
      status: '%ST',
    },
  }
  const format = Object.entries(log).map(([name, value]) => `"${name}":"${value}"`)
  const seconds: readonly Line[] = [
    ['timeout', 'connect', '5s'],
    ['timeout', 'client', '60s'],
    ['timeout', 'server', '60s'],
    ['timeout', 'http-request', '10s'],
    ['timeout', 'tunnel', '1h'],
  ]
  return [
    {
      head: ['global'],
      lines: [
        ['log', 'stdout', 'len', 65535, 'format', 'raw', 'local0', 'info'],
        // one thread takes turns exactly among endpoints
        ['nbthread', 1],
        ['maxconn', 4096],
        ['hard-stop-after', '240s'],
        // a new process takes the ports over from the one before it, so that no connection is refused
        ['stats', 'socket', 'unix@admin.sock', 'mode', 600, 'level', 'admin', 'expose-fd', 'listeners'],
        ['ssl-default-bind-options', 'ssl-min-ver', 'TLSv1.2'],
      ],
    },
    {
      head: ['defaults'],
      lines: [
        ['mode', 'http'],
        ['log', 'global'],
        ['log-format', `{${format.join(',')}}`],
        ['error-log-format', '{"time":"%Ts.%ms","client":"%ci:%cp","error":"%[fc_err_str,json(utf8s)]"}'],
        ['option', 'dontlognull'],
        // each request has a connection of its own to its endpoint, as nginx's have
        ['option', 'http-server-close'],
        ['http-reuse', 'never'],
        ['retries', 3],
        ['option', 'redispatch', 1],
        ...seconds,
      ],
    },
    {
      head: ['frontend', 'status'],
      lines: [
        ['bind', `unix@${statusSocket}`],
        ['http-request', 'set-log-level', 'silent'],
        ['http-request', 'return', 'status', 200, 'content-type', 'text/plain', 'string', `${generation}`],
      ],
    },
  ]
}

function json(variable: string): string {
  return `%[var(${variable}),json(utf8s)]`
}
