import { haproxyConfiguration, haproxyFile } from '../../ingress/haproxy/haproxyConfiguration.js'
import { unsupportedByHaproxy } from '../../ingress/haproxy/unsupported.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import { nginxConfiguration, nginxFile } from '../../ingress/nginx/nginxConfiguration.js'
import { unsupportedByNginx } from '../../ingress/nginx/unsupported.js'
import type { SandboxFile } from '../../topology/types.js'
import type { ConfigurationFile, ProxySettings, Unsupported } from '../../ingress/proxySettings.js'

/** A proxy: how its configuration is written, and how it is started and told of another. */
export interface ProxyProgram {
  /** The tool that the machine must have; also how its process is called, unless that is a user's own. */
  readonly tool: string
  readonly write: (configuration: ProxyConfiguration, settings: ProxySettings) => ConfigurationFile[]
  readonly unsupported: (configuration: ProxyConfiguration) => Unsupported[]
  /** Name of the file that it is started with. */
  readonly file: string
  /** Checks the file `$1`, to be run in a folder that nothing runs in; without one its replicas say what they take. */
  readonly test?: string
  /** Starts `"$@"` in the foreground from `$configuration`, in the folder to run in; its process id goes to `pid`. */
  readonly start: string
  /** What it is to start, where that is a user's choice. */
  readonly command?: readonly string[]
  /** What has it read its configuration again. */
  readonly reload: 'HUP' | 'USR2'
  /** What has a worker take no more connections, where its master takes its time to say so. */
  readonly retire?: 'QUIT'
}

/**
 * nginx makes and frees a pool for every block that it reads; with glibc giving back each of them, reading 500 hosts
 * faulted in 600 MB of pages, and 50 MB without (mallopt(3)).
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
    // the master sleeps for 100 ms before it tells the workers of before; it reaps none until it has told them
    retire: 'QUIT',
  },
  haproxy: {
    tool: 'haproxy',
    write: haproxyConfiguration,
    unsupported: unsupportedByHaproxy,
    file: haproxyFile,
    test: 'exec haproxy -c -f "$1"',
    // what it logs of requests goes to its standard output, all else to the other
    start: 'exec haproxy -W -S unix@master.sock -p pid -f "$configuration" >>requests.log',
    reload: 'USR2',
  },
}

/** Folder of the sandbox in which each controller has one of its own. */
export const controllersFolder = '/run/vethlab/ingress'

/** The configuration that is to be served, below a controller's folder: a link that is replaced whole. */
export const currentConfiguration = 'current'

/** The script, in a controller's folder, that its containers run. */
const startScript = 'start'

/**
 * The command of a controller's container; `startFile` is to be there. Each replica runs in a folder of its own, below
 * `run/` in the controller's folder and named by its network namespace; the configuration is that of all of them.
 */
export function proxyCommand({ command = [] }: Pick<ProxyProgram, 'command'>, folder: string): string[] {
  return ['sh', `${folder}/${startScript}`, ...command]
}

/** That script. */
export function startFile(
  { start, file }: Pick<ProxyProgram, 'start' | 'file'>,
  folder: string,
): SandboxFile {
  const text = `set -e
own=${folder}/run/$(stat -Lc %i /proc/self/ns/net)
mkdir -p "$own"
cd "$own"
# what a process that was killed left behind would be in the way of the next one's sockets
rm -f -- *.sock pid status.json
configuration=${folder}/${currentConfiguration}/${file}
${start}
`
  return { path: `${folder}/${startScript}`, text }
}
