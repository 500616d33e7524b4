import { haproxyConfiguration, haproxyFile } from '../../ingress/haproxy/haproxyConfiguration.js'
import { unsupportedByHaproxy } from '../../ingress/haproxy/unsupported.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import { nginxConfiguration, nginxFile } from '../../ingress/nginx/nginxConfiguration.js'
import { unsupportedByNginx } from '../../ingress/nginx/unsupported.js'
import type { SandboxFile } from '../../topology/types.js'
import type { ConfigurationFile, ProxySettings, Unsupported } from '../../ingress/proxySettings.js'

/** A proxy program: how to write its configuration, start it and reload it. */
export interface ProxyProgram {
  /** The required tool; also its process name, except for a user's program. */
  readonly tool: string
  readonly write: (configuration: ProxyConfiguration, settings: ProxySettings) => ConfigurationFile[]
  readonly unsupported: (configuration: ProxyConfiguration) => Unsupported[]
  /** Name of its main configuration file. */
  readonly file: string
  /** Script that checks the file `$1`, run in a folder without a running process; if undefined, replicas report errors. */
  readonly test?: string
  /** Script that starts `"$@"` in the foreground with `$configuration`, in its own folder; writes its process id to `pid`. */
  readonly start: string
  /** The command to start, if users choose it. */
  readonly command?: readonly string[]
  /** Signal to reload the configuration. */
  readonly reload: 'HUP' | 'USR2'
  /** Signal for a worker to stop accepting connections, if the master sends it late. */
  readonly retire?: 'QUIT'
}

/**
 * nginx allocates and frees a pool for every block that it reads. If glibc returns each of them to the kernel, reading 500
 * hosts causes page faults for 600 MB; without, for 50 MB (mallopt(3)).
 */
const keepMemory = 'MALLOC_TRIM_THRESHOLD_=1000000000 MALLOC_TOP_PAD_=1000000'

/** The proxies that controllers run, by name. */
export const proxyPrograms: Readonly<Record<'nginx' | 'haproxy', ProxyProgram>> = {
  nginx: {
    tool: 'nginx',
    write: nginxConfiguration,
    unsupported: unsupportedByNginx,
    file: nginxFile,
    test: `${keepMemory} exec nginx -t -q -p "$PWD/" -c "$1"`,
    start: `${keepMemory} exec nginx -p "$PWD/" -c "$configuration"`,
    reload: 'HUP',
    // the master signals its old workers after 100 ms, and reaps none before that
    retire: 'QUIT',
  },
  haproxy: {
    tool: 'haproxy',
    write: haproxyConfiguration,
    unsupported: unsupportedByHaproxy,
    file: haproxyFile,
    test: 'exec haproxy -c -f "$1"',
    // it logs requests to standard output, everything else to standard error
    start: 'exec haproxy -W -S unix@master.sock -p pid -f "$configuration" >>requests.log',
    reload: 'USR2',
  },
}

/** Folder of the sandbox with a folder for each controller. */
export const controllersFolder = '/run/vethlab/ingress'

/** Link to the configuration to serve, in a controller's folder; replaced atomically. */
export const currentConfiguration = 'current'

/** The start script of a controller's containers, in its folder. */
const startScript = 'start'

/**
 * The command of a controller's container; `startFile` must exist. Each replica runs in its own folder below `run/` in the
 * controller's folder, named after its network namespace; all replicas share the configuration.
 */
export function proxyCommand({ command = [] }: Pick<ProxyProgram, 'command'>, folder: string): string[] {
  return ['sh', `${folder}/${startScript}`, ...command]
}

/** The start script. */
export function startFile(
  { start, file }: Pick<ProxyProgram, 'start' | 'file'>,
  folder: string,
): SandboxFile {
  const text = `set -e
own=${folder}/run/$(stat -Lc %i /proc/self/ns/net)
mkdir -p "$own"
cd "$own"
# files of a killed process would block the sockets of the next one
rm -f -- *.sock pid status.json
configuration=${folder}/${currentConfiguration}/${file}
${start}
`
  return { path: `${folder}/${startScript}`, text }
}
