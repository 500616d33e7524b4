import { Command } from 'commander'
import { age } from '../text/age.js'
import { formatTable } from '../text/table.js'
import { findAllLabs, type SilentLab, type UpLab } from '../up/upLab.js'
import { print, printError } from './output.js'
import { foldedWidth } from './terminal.js'
import { jsonText } from '../reporters/jsonText.js'

/** `vethlab ps`. */
export function psCommand(): Command {
  return new Command('ps')
    .description('Prints the start time and the number of nodes, clients and pods of each lab.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ vethlab ps')
    .action(async ({ json }: { json?: true }) => {
      const labs = await findAllLabs()
      if (json === true) {
        print(jsonText(labs.map(jsonRow)))
        return
      }
      if (labs.length === 0) {
        print('no lab is running\n')
        return
      }
      for (const lab of labs) for (const line of problemsOf(lab)) printError(`${line}\n`)
      print(
        formatTable([['LAB', 'UP SINCE', 'NODES', 'CLIENTS', 'PODS', 'TITLE'], ...labs.map(tableRow)], {
          width: foldedWidth(),
        }),
      )
    })
}

/** A running lab as JSON. */
export function jsonRow(one: UpLab | SilentLab) {
  const startedAt = new Date(one.startedAt).toISOString()
  if ('error' in one) return { lab: one.holder.lab, startedAt, holder: one.holder.pid, error: one.error }
  const { lab, title, directory, holder, rootless, view, faults } = one
  return { lab, title, directory, startedAt, holder: holder.pid, rootless, topology: view, faults }
}

function problemsOf(one: UpLab | SilentLab): string[] {
  if ('error' in one) return [one.error]
  const { lab, holder, faults } = one
  return faults.map((fault) => `${lab}: the process that holds it (pid ${holder.pid}) had an error: ${fault}`)
}

function tableRow(one: UpLab | SilentLab): string[] {
  const upSince = `${age(Date.now() - one.startedAt)} ago`
  if ('error' in one)
    return [one.holder.lab, upSince, '?', '?', '?', `does not answer (pid ${one.holder.pid})`]
  const { nodes, clients, pods } = one.view
  return [one.lab, upSince, ...[nodes, clients, pods].map(({ length }) => String(length)), one.title]
}
