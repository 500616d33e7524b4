import { Command } from 'commander'
import { findTool } from '../host/environment.js'
import { upLab } from '../up/upLab.js'
import { enter } from './exec.js'

/** `vethlab shell <lab> [where]`. */
export function shellCommand(): Command {
  return new Command('shell')
    .argument('<lab>', 'name of a running lab')
    .argument('[place]', 'node, pod or client (default: the first client)')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab shell nodeport node-a')
    .action(async (lab: string, place?: string) => {
      const { view } = await upLab(lab)
      const where = place ?? view.clients[0]?.name ?? view.nodes[0]?.name ?? ''
      const bash = findTool('bash')
      const argv = bash === undefined ? ['sh'] : [bash, '--norc', '--noprofile']
      process.exitCode = await enter(lab, where, argv, { PS1: `${lab} ${where} \\w# ` })
    })
}
