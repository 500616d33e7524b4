import { Command } from 'commander'
import { print, printError } from './commands/output.js'
import { hidden, loadVerb, verbGroups, type Verb } from './commands/verbs.js'
import { exitCode, isKnownError } from './errors.js'
import { hostFault } from './hostFaults.js'

const example = `
Examples:
  $ sudo vethlab run nodeport          build the NodePort lab, check it, remove it
  $ sudo vethlab up nodeport           keep it running, and look around:
  $ sudo vethlab exec nodeport node-a -- iptables -t nat -S KUBE-NODEPORTS

Exit codes: 0 all checks passed, 1 a check failed, 2 the input is invalid, 3 this host cannot run it.`

/** Runs the command line; the one place that turns an error into an exit code. */
async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', giveUpWriting)
  // where errors cannot be written the exit code still says what happened
  process.stderr.on('error', () => undefined)
  process.on('uncaughtException', endBy)
  process.on('unhandledRejection', endBy)
  const program = new Command('vethlab')
    .description('Kubernetes Service networking on the kernel you already have.')
    .version(version(), '-V, --version')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .addHelpText('after', example)
  const called = argv[0] === 'help' ? argv[1] : argv[0]
  for (const { heading, verbs } of verbGroups)
    for (const verb of verbs) program.addCommand((await command(verb, called)).helpGroup(heading))
  const secret = hidden.find(({ name }) => name === called)
  if (secret !== undefined) program.addCommand(await secret.load(), { hidden: true })
  exitOnUsage(program)
  try {
    await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    tell(error)
  }
  // ended by a signal: what a lab that is gone still waits for would keep the process
  if (Number(process.exitCode) > signalBase) process.exit()
}

/** Exit codes above it are a signal's number, and this. */
const signalBase = 128

/** `vethlab list | head` closes the pipe early, which is no error; a full disk is one. What is up ends with this process. */
function giveUpWriting(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode.ok)
  printError(`cannot write the output: ${error.message}\n`)
  process.exit(exitCode.cannotRun)
}

async function command(verb: Verb, called: string | undefined): Promise<Command> {
  return verb.name === called ? loadVerb(verb) : new Command(verb.name).summary(verb.summary)
}

/** Wrong usage is invalid input (2), not a failed check (1); what help and errors repeat of the arguments is made printable. */
function exitOnUsage(program: Command): void {
  const override = (command: Command) => {
    command.configureOutput({ writeOut: print, writeErr: printError })
    command.exitOverride((error) => {
      throw error
    })
    command.commands.forEach(override)
  }
  override(program)
}

/**
 * An error that nothing waited for, such as that of a process that could not be started: labs end with this process. After
 * a signal, errors of connections into a lab that is removed are expected, and the command ends by itself.
 */
function endBy(error: unknown): void {
  if (Number(process.exitCode) > signalBase) return
  tell(error)
  process.exit()
}

function tell(thrown: unknown): void {
  const error = hostFault(thrown) ?? thrown
  if (isKnownError(error)) {
    printError(`${error.message}\n`)
    process.exitCode = error.exitCode
    return
  }
  if (isUsageError(error)) {
    // the argument parser has said it already
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

declare const VETHLAB_VERSION: string
function version(): string {
  return VETHLAB_VERSION
}

void main(process.argv.slice(2))
