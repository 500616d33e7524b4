import { certificateFiles, certificatePaths, defaultCertificate } from '../certificateFiles.js'
import { byPort } from '../hostOrder.js'
import type { ProxyConfiguration, VirtualHost } from '../model.js'
import { statusSocket, type ConfigurationFile, type ProxySettings } from '../proxySettings.js'
import { noRoute, portSections, type FrontendContext } from './frontends.js'
import { passthroughSections } from './passthrough.js'
import { renderSections, type Line, type Section } from './section.js'
import { supportedByHaproxy } from './unsupported.js'

/** Name of HAProxy's configuration file. */
export const haproxyFile = 'haproxy.cfg'

/**
 * The configuration files of HAProxy (2.6 and later). Sockets are relative to HAProxy's working directory, so that several
 * replicas can have the same configuration.
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
  const terminated = listeners.filter(({ protocol }) => protocol !== 'TLS')
  const passed = byPort(listeners.filter(({ protocol }) => protocol === 'TLS'))
  const passedPorts = new Set(passed.flatMap(([first]) => first?.port ?? []))
  const socketOf = (port = 0) => `https-${port}.sock`
  const sections = [
    ...main(settings),
    ...byPort(terminated).flatMap((port) =>
      portSections(port, passedPorts.has(port[0]?.port ?? 0) ? socketOf(port[0]?.port) : undefined, context),
    ),
    ...passed.flatMap((port) =>
      passthroughSections(
        port,
        terminated.some((other) => other.port === port[0]?.port) ? socketOf(port[0]?.port) : undefined,
        context,
      ),
    ),
    noRoute,
  ]
  // the backends of a route on several ports are written once
  const text = renderSections([...new Map(sections.map((one) => [one.head.join(' '), one])).values()])
  return [{ name: haproxyFile, text }, ...lists, ...certificateFiles(configuration)]
}

/**
 * The first certificate is the fallback for clients: that of host `*`, or the default one. Hosts with the same certificate
 * are listed only if a wildcard would match them instead: each line creates a TLS context, which takes time.
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
  // without an explicit name it would be used for all names in the certificate
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
        // with one thread round robin among endpoints is exact
        ['nbthread', 1],
        ['maxconn', 4096],
        ['hard-stop-after', '240s'],
        // a new process takes over the ports of the old one, so that no connection is refused
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
        // a separate connection to the endpoint for each request, as with nginx
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
