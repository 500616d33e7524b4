import { haproxyConfiguration, haproxyFile } from '../../ingress/haproxy/haproxyConfiguration.js'
import { unsupportedByHaproxy } from '../../ingress/haproxy/unsupported.js'
import type { ProxyConfiguration } from '../../ingress/model.js'
import { nginxConfiguration, nginxFile } from '../../ingress/nginx/nginxConfiguration.js'
import { unsupportedByNginx } from '../../ingress/nginx/unsupported.js'
import type { ConfigurationFile, ProxySettings, Unsupported } from '../../ingress/proxySettings.js'

/** A proxy: how its configuration is written, and how it is started and told of another. */
export interface ProxyProgram {
  /** The tool that the machine must have; also how its process is called. */
  readonly tool: 'nginx' | 'haproxy'
  readonly write: (configuration: ProxyConfiguration, settings: ProxySettings) => ConfigurationFile[]
  readonly unsupported: (configuration: ProxyConfiguration) => Unsupported[]
  /** Name of the file that it is started with. */
  readonly file: string
  /** Checks the file `$1`, to be run in a folder that nothing runs in. */
  readonly test: string
  /** Starts in the foreground from the file `$1`, in the folder that it is to run in; its process id goes to `pid`. */
  readonly start: string
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
    start: `${keepMemory} exec nginx -p "$PWD/" -c "$1"`,
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
    start: 'exec haproxy -W -S unix@master.sock -p pid -f "$1" >>requests.log',
    reload: 'USR2',
  },
}

/** The configuration that is to be served, below a controller's folder: a link that is replaced whole. */
export const currentConfiguration = 'current'

/**
 * The command of a controller's container. Each replica runs in a folder of its own, below `run/` in the controller's
 * folder and named by its network namespace; the configuration is that of all of them.
 */
export function proxyCommand({ start, file }: ProxyProgram, folder: string): string[] {
  // what a process that was killed left behind would be in the way of the next one's sockets
  const enter =
    'cd "$2" && own=run/$(stat -Lc %i /proc/self/ns/net) && mkdir -p "$own" && cd "$own" && rm -f -- *.sock pid'
  return ['sh', '-c', `${enter} && ${start}`, 'sh', `${folder}/${currentConfiguration}/${file}`, folder]
}
