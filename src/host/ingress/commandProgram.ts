import { configurationFile, renderConfiguration } from '../../ingress/command/renderConfiguration.js'
import type { ProxyProgram } from './proxyProgram.js'

/** The status file of a user's program, in the folder of its replica. */
export const statusFile = 'status.json'

/**
 * A user's own program as a proxy: it starts in `directory`, reads the configuration file named by
 * `VETHLAB_INGRESS_CONFIGURATION` at its start and on SIGHUP, and writes its result to `VETHLAB_INGRESS_STATUS`. The
 * configuration is not tested in any other way.
 */
export function commandProgram(command: readonly string[], directory: string): ProxyProgram {
  return {
    tool: command[0] ?? '',
    write: (configuration, { generation }) => [
      { name: configurationFile, text: renderConfiguration(configuration, generation), holdsKeys: true },
    ],
    unsupported: () => [],
    file: configurationFile,
    start: `echo $$ >pid
export VETHLAB_INGRESS_CONFIGURATION="$configuration" VETHLAB_INGRESS_STATUS="$own/${statusFile}"
cd ${directory}
exec "$@"`,
    command,
    reload: 'HUP',
  }
}

/**
 * Mounts a folder of the host below /run of the sandbox, which all pods share; without root, pods cannot see other
 * folders of the host.
 */
export function showFolderCommand(folder: string, place: string): string[] {
  return ['sh', '-c', 'mkdir -p "$2" && mount --rbind "$1" "$2"', 'sh', folder, place]
}
