import { expand } from '../cluster/pods/podEnv.js'
import type { Container } from '../cluster/types.js'
import type { Place, PlannedProcess, SandboxFile, Stage } from './types.js'

/** A container that runs its own command in its pod's namespace. */
export interface CommandContainer {
  readonly place: Place
  readonly container: Container
  /** Its command and arguments; by default those of the container. */
  readonly argv?: readonly string[] | undefined
  /** The files it sees, by the key of PlaceFiles. */
  readonly files?: string | undefined
  /** Its environment; by default the entries of `env` that have a value. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The folder of the logs of containers, in the sandbox. */
export const logFolder = '/run/vethlab/log'

/** A file that makes the folder. */
export const logReadme: SandboxFile = {
  path: `${logFolder}/README`,
  text: 'The output of each container, one file per container.\n',
}

/** The processes of containers with a command; the containers of one pod share its namespace, loopback and ports. */
export function planContainers(containers: readonly CommandContainer[]): Stage {
  return {
    name: 'containers with a command',
    files: [{ path: `${logFolder}/README`, text: 'The output of each container, one file per container.\n' }],
    commands: [],
    processes: containers.map(processOf),
  }
}

function processOf({ place, container, argv, files, env: given }: CommandContainer): PlannedProcess {
  const namespace = place.namespace ?? 'default'
  const env = given ?? Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value ?? '']))
  const log = `${logFolder}/${place.netns}_${namespace}_${place.name}_${container.name}`
  const words = (argv ?? [...(container.command ?? []), ...(container.args ?? [])]).map((word) =>
    expand(word, env),
  )
  return {
    what: `container ${container.name} of pod ${namespace}/${place.name}`,
    container: { pod: `${namespace}/${place.name}`, name: container.name },
    netns: place.netns,
    files,
    argv: container['stdin'] === true ? withInput(container, log, words) : words,
    env: { HOSTNAME: place.hostname, ...env },
    listensOn: (container.ports ?? [])
      .filter(({ protocol = 'TCP' }) => protocol === 'TCP')
      .map(({ containerPort }) => containerPort),
    log,
  }
}

/**
 * A command whose standard input is a named pipe. With `stdinOnce` it starts when a client attaches, and its input ends when
 * that client ends it; otherwise its input never ends.
 */
function withInput(container: Container, log: string, words: readonly string[]): string[] {
  const redirection = container['stdinOnce'] === true ? '<' : '<>'
  const script = `rm -f "$0"; mkfifo -m 600 "$0"; exec "$@" ${redirection}"$0"`
  return ['sh', '-c', script, inputPipe(log), ...words]
}

/** The named pipe of the standard input of a container with `stdin: true`. */
export function inputPipe(log: string): string {
  return `${log}.stdin`
}

/** The file with the output of a container before it was last restarted. */
export function previousLog(log: string): string {
  return `${log}.previous`
}
