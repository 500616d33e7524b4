import { Command } from 'commander'
import { interactiveShell } from '../host/terminal/shell.js'
import { upLab } from '../up/upLab.js'
import { enter } from './exec.js'

/** `vethlab shell <lab> [where]`. */
export function shellCommand(): Command {
  return new Command('shell')
    .argument('<lab>', 'name of a running lab')
    .argument('[place]', 'node, pod or client (default: the first client)')
    .addHelpText('after', '\nExample:\n  $ vethlab shell nodeport node-a')
    .action(async (lab: string, place?: string) => {
      const { view } = await upLab(lab)
      const where = place ?? view.clients[0]?.name ?? view.nodes[0]?.name ?? ''
      process.exitCode = await enter(lab, where, interactiveShell(), { PS1: `${lab} ${where} \\w# ` })
    })
}
