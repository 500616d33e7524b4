import { confined } from './confined.js'
import type { HealthAnswer, HealthServer } from '../agents/kubeProxy/nodeHealth.js'
import type { NodePlace, Stage } from './types.js'

const folder = '/run/vethlab/health'

/** One nginx for a node's health checks: its file, and the command that starts it and returns once it listens. */
export interface HealthProcess {
  readonly file: { readonly path: string; readonly text: string }
  readonly argv: readonly string[]
  /** Contains its pid in the sandbox. */
  readonly pidFile: string
}

/**
 * The nginx of a node's health servers. A change starts another one (`generation` counts them), and then ends
 * the previous one: both can listen at the same time (reuseport), so that no probe finds the port closed.
 */
export function healthProcess(
  netns: string,
  servers: readonly HealthServer[],
  generation: number,
): HealthProcess {
  const own = `${folder}/${netns}.${generation}`
  return {
    file: { path: `${own}/nginx.conf`, text: healthServerConfig(servers, own) },
    argv: [
      ...['nsenter', `--net=/run/netns/${netns}`, ...confined],
      ...['nginx', '-e', `${own}/error.log`, '-c', `${own}/nginx.conf`],
    ],
    pidFile: `${own}/pid`,
  }
}

/** The first generation, on the nodes that need one. */
export function planHealthServers(
  nodes: readonly NodePlace[],
  serversOf: (node: string) => readonly HealthServer[],
): Stage {
  const processes = nodes.flatMap(({ name, netns }) => {
    const servers = serversOf(name)
    return servers.length === 0 ? [] : [healthProcess(netns, servers, 0)]
  })
  return {
    name: 'health checks of the nodes',
    files: processes.map(({ file }) => file),
    commands: processes.map(({ argv }) => ({ argv })),
  }
}

/** nginx's configuration: fixed answers, one process, no master. */
export function healthServerConfig(servers: readonly HealthServer[], own: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${own}/temp;\n`)
    .join('')
  return (
    `user root;\ndaemon on;\nmaster_process off;\npid ${own}/pid;\nerror_log ${own}/error.log;\n` +
    `events {\n  worker_connections 128;\n}\n` +
    `http {\n  access_log off;\n  keepalive_timeout 0;\n${temporary}${servers.map(server).join('')}}\n`
  )
}

function server({ listen, answers }: HealthServer): string {
  const listens = listen.map((address) => {
    // [::] of kube-proxy's own server accepts both families, that of a Service only IPv6: there is one per family
    const only = address.startsWith('[') && answers.every(({ path }) => path === undefined)
    return `    listen ${address} reuseport${address.startsWith('[') ? ` ipv6only=${only ? 'on' : 'off'}` : ''};\n`
  })
  const rest = answers.some(({ path }) => path === undefined) ? '' : '    location / { return 404; }\n'
  return `  server {\n${listens.join('')}${answers.map(location).join('')}${rest}  }\n`
}

/** Names are DNS names (checked when the manifests were read): nothing in them is special to nginx or JSON. */
function location({ path, status, headers, body }: HealthAnswer): string {
  const { 'Content-Type': type = 'text/plain', ...others } = headers
  const added = Object.entries(others).map(([name, value]) => `      add_header ${name} ${value} always;\n`)
  const text = body.replaceAll('{now}', '$time_iso8601')
  return (
    `    location ${path === undefined ? '/' : `= ${path}`} {\n      default_type ${type};\n${added.join('')}` +
    `      return ${status} '${text}\\n';\n    }\n`
  )
}
