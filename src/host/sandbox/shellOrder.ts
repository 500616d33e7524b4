import { shellWord } from '../../text/shellWord.js'
import { confinedIn } from '../../topology/confined.js'

/** A command for a shell. */
export interface ShellCommand {
  readonly argv: readonly string[]
  /** Network namespace; that of the shell by default. */
  readonly netns?: string | undefined
  /** Pid in the sandbox of a process whose files and host name it has; those of the shell by default. */
  readonly filesOf?: string | undefined
  /** Limits its capabilities; see `confined`. */
  readonly limited?: boolean | undefined
  /** Runs it once for each of these, all at the same time: in its words, they replace {}. */
  readonly each?: readonly string[] | undefined
  readonly input?: string | undefined
  readonly stdout?: 'ignore' | undefined
}

/** Longest order: the shell reads it character by character. */
const longest = 64 * 1024

/**
 * The text that makes a shell print the line `end`, run a command, then print `end` with the exit code, and `end` alone to standard
 * error. Undefined for what is not sent to a shell: long texts, and other characters than those of plain ASCII text.
 */
export function shellOrder(command: ShellCommand, end: string): string | undefined {
  const { input, each } = command
  if (input !== undefined && !input.endsWith('\n')) return undefined
  const run = each === undefined ? one(command, end) : together(command, each)
  const text = `echo ${end}\n${run}printf '%s %s\\n' ${end} "$code"; echo ${end} >&2\n`
  return text.length <= longest && /^[\t\n\x20-\x7e]*$/.test(text) ? text : undefined
}

function one(command: ShellCommand, end: string): string {
  const { input } = command
  const [from, here] = input === undefined ? ['</dev/null', ''] : [`<<'${end}'`, `${input}${end}\n`]
  return `${words(command)} ${from}${output(command)}\n${here}code=$?\n`
}

/** The exit code of all is that of the last one that failed. */
function together(command: ShellCommand, each: readonly string[]): string {
  const started = each.map((item) => {
    const argv = command.argv.map((word) => word.replaceAll('{}', () => item))
    return `${words({ ...command, argv })} </dev/null${output(command)} & started="$started $!"\n`
  })
  return `started=\n${started.join('')}code=0\nfor one in $started; do wait "$one" || code=$?; done\n`
}

function words({ argv, netns, filesOf, limited = false }: ShellCommand): string {
  const spaces = [
    ...(netns === undefined ? [] : [`--net=/run/netns/${netns}`]),
    ...(filesOf === undefined
      ? []
      : [`--mount=/proc/${filesOf}/ns/mnt`, `--uts=/proc/${filesOf}/ns/uts`, '--root=/', '--wd=/']),
  ]
  const enter = spaces.length === 0 ? [] : ['nsenter', ...spaces, '--']
  return [...enter, ...(limited ? confinedIn(filesOf, (tool) => tool) : []), ...argv].map(shellWord).join(' ')
}

function output({ stdout }: ShellCommand): string {
  return stdout === 'ignore' ? ' >/dev/null' : ''
}
