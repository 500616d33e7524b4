import { Argument, type Command } from 'commander'
import { changeCommand, type ChangeFlags } from './changeCommand.js'
import { askForChange } from '../ask.js'

/** `vethlab node <lab> node-a down`. */
export function nodeCommand(): Command {
  return changeCommand(
    'node',
    'take a node of a lab that is up off the network, or put it back',
    "Takes a node's cable out (`down`) or plugs it in again (`up`); the Node object's Ready condition follows at once,\n" +
      'where a cluster takes 40 seconds to notice.',
  )
    .argument('<node>', 'name of the node')
    .addArgument(new Argument('<state>', 'what it is to be').choices(['down', 'up']))
    .addHelpText('after', '\nExample:\n  $ sudo vethlab node nodeport node-b down')
    .action(async (lab: string, node: string, state: 'up' | 'down', flags: ChangeFlags) => {
      await askForChange(lab, { do: 'node', node, state }, flags.wait)
    })
}
