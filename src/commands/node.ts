import { Argument, Command } from 'commander'
import { askForChange } from './orders.js'

/** `vethlab node <lab> node-a down`. */
export function nodeCommand(): Command {
  return new Command('node')
    .description(
      'The Ready condition of the Node object changes at once; in a cluster that takes about 40 seconds.',
    )
    .argument('<lab>', 'name of a running lab')
    .argument('<node>', 'name of the node')
    .addArgument(
      new Argument('<state>', 'down disconnects the node, up reconnects it').choices(['down', 'up']),
    )
    .addHelpText('after', '\nExample:\n  $ vethlab node nodeport node-b down')
    .action(async (lab: string, node: string, state: 'up' | 'down') => {
      await askForChange(lab, { do: 'node', node, state })
    })
}
