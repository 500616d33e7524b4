import { configurationFile, renderConfiguration } from '../../ingress/command/renderConfiguration.js'
import type { ProxyProgram } from './proxyProgram.js'

/** The file, in the folder that a replica of a command has for itself, in which it tells what it serves. */
export const statusFile = 'status.json'

/**
 * A user's own program as a proxy: it is started in `directory`, reads the configuration that
 * `VETHLAB_INGRESS_CONFIGURATION` names, now and whenever it gets SIGHUP, and says in `VETHLAB_INGRESS_STATUS` what it
 * makes of it. That is the only test there is.
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
 * Shows a folder of the host at a place below /run of the sandbox, which pods have in common: others are not to be seen
 * in every pod, without root.
 */
export function showFolderCommand(folder: string, place: string): string[] {
  return ['sh', '-c', 'mkdir -p "$2" && mount --rbind "$1" "$2"', 'sh', folder, place]
}
