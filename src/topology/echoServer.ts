import type { IpFamily } from '../net/ipFamily.js'
import type { Protocol } from '../cluster/types.js'

/** The pod or outside host that answers: part of every response of an echo server. */
export type EchoIdentity =
  { readonly pod: string; readonly namespace: string; readonly node: string } | { readonly host: string }

export interface EchoPort {
  readonly port: number
  readonly protocol: Protocol
}

/** Properties of the host's nginx that its configuration depends on. */
export interface NginxPaths {
  /** Absolute path of ngx_stream_module.so; undefined if it is built in. */
  readonly streamModule: string | undefined
}

/**
 * The nginx configuration of a pod's echo server: HTTP on TCP ports, one datagram back on UDP ports, each answer one
 * line of JSON (EchoReply). One process, no master: under 3 MB. Input that is not HTTP gets the same line (error_page).
 */
export function echoServerConfig(
  identity: EchoIdentity,
  ports: readonly EchoPort[],
  families: readonly IpFamily[],
  folder: string,
  nginx: NginxPaths,
): string {
  const tcp = ports.filter(({ protocol }) => protocol === 'TCP')
  const udp = ports.filter(({ protocol }) => protocol === 'UDP')
  const load =
    udp.length > 0 && nginx.streamModule !== undefined ? `load_module ${nginx.streamModule};\n` : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/temp;\n`)
    .join('')
  const http =
    tcp.length === 0
      ? ''
      : `http {\n  access_log off;\n  client_max_body_size 0;\n${temporary}${httpServers(identity, tcp, families)}}\n`
  const stream = udp.length === 0 ? '' : `stream {\n${udpServers(identity, udp, families)}}\n`
  return (
    `${load}user root;\ndaemon on;\nmaster_process off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\n` +
    `events {\n  worker_connections 1024;\n}\n${http}${stream}`
  )
}

function httpServers(
  identity: EchoIdentity,
  ports: readonly EchoPort[],
  families: readonly IpFamily[],
): string {
  return families
    .map(
      (family) =>
        `  server {\n${listens(ports, family, '')}    error_page 400 =200 /;\n    location / {\n` +
        `      default_type application/json;\n      return 200 '${answer(identity, family)}\\n';\n    }\n  }\n`,
    )
    .join('')
}

function udpServers(
  identity: EchoIdentity,
  ports: readonly EchoPort[],
  families: readonly IpFamily[],
): string {
  return families
    .map(
      (family) =>
        `  server {\n${listens(ports, family, ' udp')}    return '${answer(identity, family)}\\n';\n  }\n`,
    )
    .join('')
}

function listens(ports: readonly EchoPort[], family: IpFamily, suffix: string): string {
  return ports
    .map(({ port }) => `    listen ${family === 'IPv4' ? port : `[::]:${port} ipv6only=on`}${suffix};\n`)
    .join('')
}

/** Names are DNS names (checked when the manifests were read): nothing in them is special to nginx or JSON. */
function answer(identity: EchoIdentity, family: IpFamily): string {
  const who =
    'host' in identity
      ? `"host":"${identity.host}"`
      : `"pod":"${identity.pod}","namespace":"${identity.namespace}","node":"${identity.node}"`
  const bracket = (variable: string) => (family === 'IPv4' ? variable : `[${variable}]`)
  return `{${who},"server":"${bracket('$server_addr')}:$server_port","client":"${bracket('$remote_addr')}:$remote_port"}`
}
