import { Command } from 'commander'
import { InputError } from '../errors.js'
import { findHolders, stopHolder } from '../host/holders.js'
import { upHolder } from '../up/upLab.js'
import { print } from './output.js'

/** `vethlab down <lab|--all>`. */
export function downCommand(): Command {
  return new Command('down')
    .summary('remove a lab that is up')
    .description('Removes a lab that `up` or `run --keep` left up: every namespace, rule and process of it.')
    .argument('[lab]', 'name of a lab that is up')
    .option('--all', 'remove every lab that is up')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab down nodeport')
    .action(async (name: string | undefined, { all }: { all?: true }) => {
      if ((name === undefined) === (all === undefined)) {
        throw new InputError([{ message: 'down takes the name of a lab, or --all' }])
      }
      const labs = name === undefined ? findHolders() : [upHolder(name)]
      await Promise.all(labs.map(stopHolder))
      print(labs.length === 0 ? 'no lab is up\n' : labs.map(({ lab }) => `${lab} is down\n`).join(''))
    })
}
