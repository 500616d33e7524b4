import { Command } from 'commander'
import { findUpLabs } from '../host/upLabs.js'
import { formatTable } from '../reporters/table.js'

/** `vethlab ps`. */
export function psCommand(): Command {
  return new Command('ps')
    .summary('show the labs that are up')
    .description('Shows the labs that are up: since when, with how many nodes, clients and pods.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab ps')
    .action(({ json }: { json?: true }) => {
      const labs = findUpLabs()
      if (json === true) {
        const rows = labs.map(({ lab, title, directory, startedAt, holder, rootless, view }) => ({
          lab,
          title,
          directory,
          startedAt: new Date(startedAt).toISOString(),
          holder,
          rootless,
          topology: view,
        }))
        process.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`)
        return
      }
      if (labs.length === 0) {
        process.stdout.write('no lab is up\n')
        return
      }
      const rows = labs.map(({ lab, title, startedAt, view }) => [
        lab,
        `${age(Date.now() - startedAt)} ago`,
        String(view.nodes.length),
        String(view.clients.length),
        String(view.pods.length),
        title,
      ])
      process.stdout.write(formatTable([['LAB', 'UP SINCE', 'NODES', 'CLIENTS', 'PODS', 'TITLE'], ...rows]))
    })
}

/** A span of time in its largest unit, as kubectl prints ages. */
function age(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}
