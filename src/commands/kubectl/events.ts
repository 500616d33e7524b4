import { Command } from 'commander'
import { resourceNamed, resourcePath, getFromApi, type ApiTable } from '../../up/api.js'
import { wantedObjects } from '../../inspect/wantedObjects.js'
import { InputError } from '../../errors.js'
import { formatTable } from '../../text/table.js'
import { withUpLab } from '../../up/upLab.js'
import { print, printError } from '../output.js'
import { foldedWidth } from '../terminal.js'
import { followLab } from './followLab.js'
import { tableRows } from './tableRows.js'
import { columnGap, watchTable } from './watchTable.js'

interface EventsFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
  readonly for?: string
  readonly watch?: boolean
}

/** `kubectl events [-w]`. */
export function eventsCommand(name: string): Command {
  return new Command('events')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'events of all namespaces')
    .option('--for <object>', 'only events of this object: pod/web-0')
    .option('-w, --watch', 'also print events as they happen, until Ctrl-C or until the lab is removed')
    .action((flags: EventsFlags) => events(name, flags))
}

async function events(name: string, flags: EventsFlags): Promise<void> {
  const namespace = flags.allNamespaces === true ? undefined : flags.namespace
  // events.k8s.io has the same objects with other fields
  const path = resourcePath(resourceNamed('events'), namespace)
  const query = new URLSearchParams({ includeObject: 'Object', ...selectorOf(flags.for) })
  const form = { wide: false, namespaces: namespace === undefined, prefix: '' }
  if (flags.watch === true) {
    await followLab(name, (lab, signal) => watchTable(lab, { ...form, path, query, sort: byTime }, signal))
    return
  }
  const list = await withUpLab(name, (lab) =>
    getFromApi(lab, { path: `${path}?${query.toString()}`, table: true }),
  )
  const { columnDefinitions, rows } = list as ApiTable
  if (rows.length === 0) printError(`No events found in ${namespace ?? 'any'} namespace.\n`)
  else
    print(
      formatTable(tableRows({ columnDefinitions, rows: byTime(rows) }, form), {
        gap: columnGap,
        width: foldedWidth(),
      }),
    )
}

function selectorOf(object: string | undefined): Record<string, string> {
  if (object === undefined) return {}
  const [wanted] = wantedObjects([object], [])
  const [name] = wanted?.names ?? []
  if (wanted === undefined || name === undefined)
    throw new InputError([{ message: `"${object}" names no object`, hint: 'write KIND/NAME' }])
  return { fieldSelector: `involvedObject.kind=${wanted.resource.kind},involvedObject.name=${name}` }
}

function byTime(rows: ApiTable['rows']): ApiTable['rows'] {
  const timeOf = ({ object }: ApiTable['rows'][number]) =>
    (object as { readonly lastTimestamp?: string }).lastTimestamp ?? ''
  return [...rows].sort((a, b) => timeOf(a).localeCompare(timeOf(b)))
}
