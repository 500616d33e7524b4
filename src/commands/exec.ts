import { Command } from 'commander'
import { execa } from 'execa'
import { toolEnvironment } from '../host/environment.js'
import { kubectlEnvironment } from '../host/kubeProxy/apiProcess.js'
import { joinSandbox } from '../host/sandbox.js'
import { namesOf } from '../lab/names.js'
import { placeOf } from '../lab/placeOf.js'
import { upLab } from './upLab.js'

/** `vethlab exec <lab> <place> -- cmd…`. */
export function execCommand(): Command {
  return new Command('exec')
    .summary('run a command in a node, pod or client of a lab that is up')
    .description(
      'Runs a command in the network namespace of a node, pod or client of a lab that is up.\n' +
        'A place is a name, or a selector of pods: app=web, app=web@node-a (the first that matches).',
    )
    .argument('<lab>', 'name of a lab that is up')
    .argument('<place>', 'node, pod or client')
    .argument('<command...>', 'the command and its arguments, after --')
    .usage('<lab> <place> -- <command...>')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nExample:\n  $ sudo vethlab exec nodeport client -- curl -s http://172.18.0.2:30080/',
    )
    .action(async (lab: string, place: string, argv: string[]) => {
      process.exitCode = await enter(lab, place, argv[0] === '--' ? argv.slice(1) : argv)
    })
}

/** Runs a command in a place of a lab that is up, on this terminal; returns its exit code (128 and the signal's number, as shells do). */
export async function enter(
  lab: string,
  reference: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const up = upLab(lab)
  const place = placeOf(namesOf(up.view), up.places, reference)
  const [file = '', ...rest] = joinSandbox(up.pid, up.rootless).command(argv, {
    netns: place.netns,
    files: place.netns,
  })
  // Ctrl-C belongs to the command: this process only waits for it
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  const { exitCode, failed, originalMessage } = await execa(file, rest, {
    stdio: 'inherit',
    reject: false,
    env: { ...toolEnvironment(), ...kubectlEnvironment, ...env },
  })
  process.off('SIGINT', ignore)
  if (exitCode === undefined && failed)
    process.stderr.write(`${originalMessage ?? 'the command was ended'}\n`)
  return exitCode ?? 1
}
