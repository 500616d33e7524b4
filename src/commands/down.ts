import { Command } from 'commander'
import { InputError } from '../errors.js'
import { findHolders, stopHolder } from '../host/holders.js'
import { upHolder } from '../up/upLab.js'
import { print } from './output.js'

/** `vethlab down <lab|--all>`. */
export function downCommand(): Command {
  return new Command('down')
    .description(
      'Removes the namespaces, rules and processes of a lab that `up` or `run --keep` left running.',
    )
    .argument('[lab]', 'name of a running lab')
    .option('--all', 'remove every running lab')
    .addHelpText('after', '\nExample:\n  $ vethlab down nodeport')
    .action(async (name: string | undefined, { all }: { all?: true }) => {
      if ((name === undefined) === (all === undefined)) {
        throw new InputError([{ message: 'down needs the name of a lab, or --all' }])
      }
      const labs = name === undefined ? findHolders() : [upHolder(name)]
      await Promise.all(labs.map(stopHolder))
      print(
        labs.length === 0 ? 'no lab is running\n' : labs.map(({ lab }) => `${lab} was removed\n`).join(''),
      )
    })
}
