import { Command } from 'commander'
import { pad } from '../../text/textWidth.js'
import { resourceNamed, resourcePath, watchApi, type ApiTable } from '../../up/api.js'
import { tableRows } from './tableRows.js'
import { followLab } from './followLab.js'
import { print } from '../output.js'

interface WatchFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
}

const words: Readonly<Record<string, string>> = { ADDED: 'added', MODIFIED: 'changed', DELETED: 'deleted' }

/** `vethlab watch <lab> [kinds]`. */
export function watchCommand(): Command {
  return new Command('watch')
    .description(
      'Prints a line for each existing object, and for each one that is added, changed or deleted, until Ctrl-C or\n' +
        'until the lab is removed.',
    )
    .argument('<lab>', 'name of a running lab')
    .argument('[kinds]', 'kinds, with a comma', 'pods,services,endpointslices')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab watch nodeport pods,endpointslices')
    .action(async (lab: string, kinds: string, flags: WatchFlags) => {
      const namespace = flags.allNamespaces === true ? undefined : flags.namespace
      const resources = kinds.split(',').map(resourceNamed)
      await followLab(lab, async (up, signal) => {
        const watches = resources.map(async (resource) => {
          const path = `${resourcePath(resource, namespace)}?watch=true`
          for await (const event of watchApi(up, { path, table: true }, signal))
            print(eventLine(event, resource.singular, namespace === undefined))
        })
        await Promise.all(watches)
      })
    })
}

function eventLine(
  { type, object }: { readonly type: string; readonly object: unknown },
  singular: string,
  namespaces: boolean,
): string {
  const word = words[type]
  if (word === undefined) return ''
  const form = { wide: false, namespaces, prefix: `${singular}/` }
  const table = object as ApiTable
  // only the first event of a watch has the column definitions
  const columnDefinitions =
    table.columnDefinitions ?? table.rows[0]?.cells.map(() => ({ name: '', priority: 0 })) ?? []
  const [, cells = []] = tableRows({ rows: table.rows, columnDefinitions }, form)
  const time = new Date().toISOString().slice(11, 23)
  return `${time}  ${pad(word, 7)}  ${cells.filter((cell) => cell !== '').join('  ')}\n`
}
