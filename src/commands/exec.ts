import { constants } from 'node:os'
import { Command } from 'commander'
import { exitCode } from '../errors.js'
import { kubectlEnvironment } from '../host/kubeProxy/apiAddress.js'
import { runOnTerminal } from '../host/terminal/runOnTerminal.js'
import { joinSandbox } from '../host/sandbox/sandbox.js'
import { namesOf } from '../names/names.js'
import { placeOf } from '../names/placeOf.js'
import { goneMessage } from '../up/order.js'
import { isUp, withUpLab, type UpLab } from '../up/upLab.js'
import { printError } from './output.js'

/** `vethlab exec <lab> <place> -- cmd…`. */
export function execCommand(): Command {
  return new Command('exec')
    .description(
      'A place is a name, or a selector of pods (the first pod that matches): app=web, app=web@node-a.\n' +
        'The exit code is that of the command.',
    )
    .argument('<lab>', 'name of a running lab')
    .argument('<place>', 'node, pod or client')
    .argument('<command...>', 'the command and its arguments, after --')
    .usage('<lab> <place> -- <command...>')
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  $ vethlab exec nodeport client -- curl -s http://172.18.0.2:30080/')
    .action(async (lab: string, place: string, argv: string[]) => {
      process.exitCode = await enter(lab, place, argv[0] === '--' ? argv.slice(1) : argv)
    })
}

/** Runs a command in a place of a running lab, on this terminal; returns its exit code (128 plus a signal's number, as shells do). */
export async function enter(
  lab: string,
  reference: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  return runInLab(
    lab,
    (up) => {
      const { netns, hostname } = placeOf(namesOf(up.view), up.places, reference)
      return joinSandbox(up.pid, up.rootless).command(argv, { netns, files: netns, hostname })
    },
    env,
  )
}

/** Runs a command in a running lab, on this terminal; returns its exit code, as `enter` does. */
export async function runInLab(
  lab: string,
  commandFor: (up: UpLab) => readonly string[] | Promise<readonly string[]>,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { up, command } = await withUpLab(lab, async (up) => ({ up, command: await commandFor(up) }))
  const {
    exitCode: code,
    signal,
    passed,
    problem,
  } = await runOnTerminal(command, {
    ...kubectlEnvironment,
    ...env,
  })
  if (code !== 0 && passed === undefined && !(await isUp(up))) {
    printError(`${goneMessage(up.lab)}\n`)
    return exitCode.invalidInput
  }
  if (code !== undefined) return code
  const endedBy = passed ?? signal
  if (endedBy !== undefined) return 128 + constants.signals[endedBy]
  printError(`${problem ?? 'the command was ended'}\n`)
  return 1
}
