import { certificateFiles, certificatePaths } from '../certificateFiles.js'
import { byPort } from '../hostOrder.js'
import type { ProxyConfiguration } from '../model.js'
import { statusSocket, type ConfigurationFile, type ProxySettings } from '../proxySettings.js'
import { definitions } from './definitions.js'
import { directive, dollarVariable, renderDirectives, type Directive } from './directive.js'
import { defaultHeaderDirectives } from './headers.js'
import { passthroughServer } from './passthrough.js'
import { httpServers } from './servers.js'
import { supportedByNginx } from './unsupported.js'

/** Name of nginx's configuration file. */
export const nginxFile = 'nginx.conf'

/**
 * The configuration files of nginx (1.22 and later, without Lua). Relative names are below nginx's prefix (`-p`), so that
 * several replicas can have the same configuration.
 */
export function nginxConfiguration(given: ProxyConfiguration, settings: ProxySettings): ConfigurationFile[] {
  const configuration = supportedByNginx(given)
  const { listeners } = configuration
  const define = definitions()
  let routes = 0
  const context = {
    define,
    settings,
    nextRoute: () => ++routes,
    certificate: certificatePaths(configuration, settings.folder),
  }
  const servers = httpServers(
    listeners.filter(({ protocol }) => protocol !== 'TLS'),
    context,
  )
  const defineStream = definitions()
  const streams = byPort(listeners.filter(({ protocol }) => protocol === 'TLS')).flatMap((port) =>
    passthroughServer(port, settings, defineStream),
  )
  const text = renderDirectives([
    ...main(streams.length > 0 ? settings.streamModule : undefined),
    directive(
      'http',
      [],
      [...http(define.all().length, servers.length), ...define.all(), status(settings), ...servers],
    ),
    ...(streams.length === 0 ? [] : [directive('stream', [], [...defineStream.all(), ...streams])]),
  ])
  return [{ name: nginxFile, text }, ...certificateFiles(configuration)]
}

function main(streamModule: string | undefined): Directive[] {
  return [
    ...(streamModule === undefined ? [] : [directive('load_module', [streamModule])]),
    // root only inside the sandbox, where no other user may exist
    directive('user', ['root']),
    directive('daemon', ['off']),
    // with one process round robin among endpoints is exact
    directive('worker_processes', [1]),
    directive('worker_shutdown_timeout', ['240s']),
    directive('pid', ['pid']),
    directive('pcre_jit', ['on']),
    directive('error_log', ['stderr', 'warn']),
    directive('events', [], [directive('worker_connections', [4096])]),
  ]
}

function http(names: number, servers: number): Directive[] {
  const log = {
    ...{ time: '$msec', id: '$forwarded_id', client: '$remote_addr:$remote_port' },
    ...{ host: '$forwarded_host', method: '$request_method', path: '$request_uri' },
    ...{ route: '$route', upstream: '$upstream_addr', status: '$status' },
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    ...temporary.map((name) => directive(`${name}_temp_path`, ['temp'])),
    directive('server_tokens', ['off']),
    // for many names of the maximum length of DNS
    directive('server_names_hash_bucket_size', [512]),
    directive('server_names_hash_max_size', [Math.max(1024, servers * 4)]),
    directive('variables_hash_max_size', [Math.max(2048, names * 4)]),
    directive('variables_hash_bucket_size', [128]),
    directive('map_hash_bucket_size', [128]),
    directive('ssl_protocols', ['TLSv1.2', 'TLSv1.3']),
    directive('merge_slashes', ['off']),
    directive('absolute_redirect', ['off']),
    directive('client_max_body_size', [0]),
    directive('uninitialized_variable_warn', ['off']),
    directive('proxy_http_version', ['1.1']),
    directive('proxy_redirect', ['off']),
    directive('proxy_connect_timeout', ['5s']),
    directive('grpc_connect_timeout', ['5s']),
    directive('geo', [`$${dollarVariable}`], [directive('default', ['$'])]),
    map('$http_host', '$forwarded_host', [
      ['default', '$http_host'],
      ['', '$host'],
    ]),
    map('$http_x_request_id', '$forwarded_id', [
      ['default', '$http_x_request_id'],
      ['', '$request_id'],
    ]),
    map('$http_upgrade', '$connection_header', [
      ['default', 'upgrade'],
      ['', 'close'],
    ]),
    ...defaultHeaderDirectives(),
    directive('log_format', ['requests', 'escape=json', logFormat(log)]),
    directive('access_log', ['requests.log', 'requests']),
  ]
}

function map(source: string, name: string, lines: readonly (readonly [string, string])[]): Directive {
  return directive(
    'map',
    [source, name],
    lines.map(([from, to]) => directive(from, [to])),
  )
}

function logFormat(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(([name, variable]) => `"${name}":"${variable}"`)
  return `{${parts.join(',')}}`
}

/** A server on a socket that reports the generation of the configuration. */
function status({ generation }: ProxySettings): Directive {
  return directive(
    'server',
    [],
    [
      directive('listen', [`unix:${statusSocket}`]),
      directive('access_log', ['off']),
      // the log has this variable, even without a route
      directive('set', ['$route', '']),
      directive('location', ['/'], [directive('return', [200, `${generation}\n`])]),
    ],
  )
}
