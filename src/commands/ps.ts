import { Command } from 'commander'
import { age } from '../text/age.js'
import { formatTable } from '../text/table.js'
import { findUpLabs } from '../up/upLab.js'
import { print, printError } from './output.js'
import { foldedWidth } from './terminal.js'
import { jsonText } from '../reporters/jsonText.js'

/** `vethlab ps`. */
export function psCommand(): Command {
  return new Command('ps')
    .description('Prints the start time and the number of nodes, clients and pods of each lab.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab ps')
    .action(async ({ json }: { json?: true }) => {
      const labs = await findUpLabs()
      if (json === true) {
        const rows = labs.map(({ lab, title, directory, startedAt, holder, rootless, view, faults }) => ({
          lab,
          title,
          directory,
          startedAt: new Date(startedAt).toISOString(),
          holder: holder.pid,
          rootless,
          topology: view,
          faults,
        }))
        print(jsonText(rows))
        return
      }
      if (labs.length === 0) {
        print('no lab is running\n')
        return
      }
      for (const { lab, holder, faults } of labs)
        for (const fault of faults)
          printError(`${lab}: the process that holds it (pid ${holder.pid}) had an error: ${fault}\n`)
      const rows = labs.map(({ lab, title, startedAt, view }) => [
        lab,
        `${age(Date.now() - startedAt)} ago`,
        String(view.nodes.length),
        String(view.clients.length),
        String(view.pods.length),
        title,
      ])
      print(
        formatTable([['LAB', 'UP SINCE', 'NODES', 'CLIENTS', 'PODS', 'TITLE'], ...rows], {
          width: foldedWidth(),
        }),
      )
    })
}
