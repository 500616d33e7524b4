import { basename } from 'node:path'
import { Command } from 'commander'
import { defaultVersion, versionText } from './agents/kubeProxy/versions/version.js'
import { print, printError } from './commands/output.js'
import type { Verb } from './commands/program/verb.js'
import { hidden } from './commands/program/hiddenVerbs.js'
import { programHelp } from './commands/program/programHelp.js'
import { loadVerb, verbGroups } from './commands/program/verbs.js'
import { exitCode, isKnownError } from './errors.js'
import { closeInheritedFiles } from './host/inheritedFiles.js'
import { hostFault } from './hostFaults.js'
import { reflow } from './text/reflow.js'
import { build, version } from './version.js'

/** Runs the command line; the one place that turns an error into an exit code. */
async function main(given: readonly string[]): Promise<void> {
  closeInheritedFiles(given)
  process.stdout.on('error', endByOutput)
  // if errors cannot be written, the exit code still reports them
  process.stderr.on('error', () => undefined)
  process.on('uncaughtException', endBy)
  process.on('unhandledRejection', endBy)
  const argv = await argumentsOf(given)
  if (argv === undefined) return
  const program = new Command(isPlugin ? 'kubectl vethlab' : 'vethlab')
    .version(versionLine(), '-V, --version')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .configureHelp({ formatHelp: programHelp })
  const called = argv[0] === 'help' ? argv[1] : argv[0]
  for (const verb of verbGroups.flatMap(({ verbs }) => verbs)) program.addCommand(await command(verb, called))
  const secret = hidden.find(({ name }) => name === called)
  if (secret !== undefined) program.addCommand(await secret.load(), { hidden: true })
  exitOnUsage(program)
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    report(error)
  }
  // ended by a signal: pending work of a lab that is removed would keep the process running
  if (Number(process.exitCode) > signalBase) process.exit()
}

/** Whether it was called as a plugin of kubectl: `kubectl vethlab`. */
const isPlugin = /^kubectl-vethlab(\.\w+)?$/.test(basename(process.argv[1] ?? ''))

/** As a plugin, a verb may be about the cluster of kubectl's context. Undefined if that was not collected. */
async function argumentsOf(given: readonly string[]): Promise<readonly string[] | undefined> {
  if (!isPlugin) return given
  try {
    return await (await import('./commands/program/plugin.js')).pluginArguments(given)
  } catch (error) {
    report(error)
    return undefined
  }
}

/** What `--version` prints: `1.0.0 (build 0123456789ab, kube-proxy 1.36)`. */
function versionLine(): string {
  const made = build() === undefined ? 'from the sources' : `build ${build()}`
  return `${version()} (${made}, kube-proxy ${versionText(defaultVersion)})`
}

/** Exit codes above it are this number plus that of a signal. */
const signalBase = 128

/** `vethlab list | head` closes the pipe early, which is not an error; a full disk is. Ends the process and with it its labs. */
function endByOutput(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode.ok)
  printError(`cannot write the output: ${error.message}\n`)
  process.exit(exitCode.cannotRun)
}

/** Help with its paragraphs wrapped, at 80 columns without a terminal, as commander does with the rest. */
function wrapped(text: string): string {
  const [, before = '', inner = '', after = ''] = /^(\n*)([^]*?)(\n*)$/.exec(text) ?? []
  return before + reflow(inner, process.stdout.columns ?? 80) + after
}

async function command(verb: Verb, called: string | undefined): Promise<Command> {
  return verb.name === called ? loadVerb(verb) : new Command(verb.name).summary(verb.summary)
}

/** Makes usage errors exit with 2 (invalid input), and escapes control characters of arguments in help and errors. */
function exitOnUsage(program: Command): void {
  const override = (command: Command) => {
    command.configureHelp({ ...command.configureHelp(), minWidthToWrap: 20, sortOptions: true })
    // the help wraps lines by themselves; the texts around it are not wrapped
    command.configureOutput({ writeOut: (text) => print(wrapped(text)), writeErr: printError })
    command.exitOverride((error) => {
      throw error
    })
    command.commands.forEach(override)
  }
  override(program)
}

/**
 * Ends the process, and with it its labs, after an uncaught error such as a process that could not be started. After a
 * signal, errors of connections into a lab that is removed are expected, and the command ends by itself.
 */
function endBy(error: unknown): void {
  if (Number(process.exitCode) > signalBase) return
  report(error)
  process.exit()
}

function report(thrown: unknown): void {
  const error = hostFault(thrown) ?? thrown
  if (isKnownError(error)) {
    printError(`${error.message}\n`)
    process.exitCode = error.exitCode
    return
  }
  if (isUsageError(error)) {
    // the argument parser has printed it already
    process.exitCode = error.exitCode === 0 ? exitCode.ok : exitCode.invalidInput
    return
  }
  if (error instanceof Error && error.name === 'AbortError') return
  printError(
    `vethlab has a bug; please report it with the command and this text:\n${String(error instanceof Error ? error.stack : error)}\n`,
  )
  process.exitCode = 70
}

function isUsageError(error: unknown): error is { code: string; exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')
}

void main(process.argv.slice(2))
