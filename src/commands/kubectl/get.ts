import { Command } from 'commander'
import { resources, type Resource } from '../../apiserver/resources.js'
import { InputError } from '../../errors.js'
import { formatTable } from '../../text/table.js'
import { getFromApi, resourcePath, type ApiTable } from '../../up/api.js'
import { rejectNames } from './allNamespaces.js'
import { objectsText } from './objectsText.js'
import { needsKubectl, outputOption, type OutputFormat } from './outputFormat.js'
import { followLab } from './followLab.js'
import { tableRows, type TableRowsForm } from './tableRows.js'
import { columnGap, watchTable } from './watchTable.js'
import { wantedObjects } from '../../inspect/wantedObjects.js'
import { withUpLab, type UpLab } from '../../up/upLab.js'
import { print, printError } from '../output.js'
import { foldedWidth } from '../terminal.js'

interface GetFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
  readonly output?: OutputFormat
  readonly selector?: string
  readonly showLabels?: boolean
  readonly watch?: boolean
}

/** `kubectl get pods`. */
export function getCommand(name: string): Command {
  return new Command('get')
    .argument('<kinds>', 'pods, svc, endpointslices, …, several with a comma; all; or KIND/NAME')
    .argument('[names...]', 'names of objects')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <selector>', 'only objects with these labels: app=web,tier!=front')
    .addOption(outputOption())
    .option('--show-labels', 'print the labels as the last column')
    .option('-w, --watch', 'also print a row for each change, until Ctrl-C or until the lab is removed')
    .action(async (kinds: string, names: string[], flags: GetFlags) => {
      rejectNames(kinds.split(','), names, flags)
      if (flags.watch === true)
        await followLab(name, (lab, signal) => watch(lab, kinds, names, flags, signal))
      else await withUpLab(name, (lab) => get(lab, kinds, names, flags))
    })
}

async function watch(
  lab: UpLab,
  kinds: string,
  names: readonly string[],
  flags: GetFlags,
  signal: AbortSignal,
): Promise<void> {
  const [first, ...others] = wantedObjects(kinds.split(','), names)
  const several = first === undefined || others.length > 0 || first.names.length > 1
  if (several || (flags.output !== undefined && flags.output !== 'wide'))
    throw new InputError([
      {
        message: '--watch prints tables of one kind, or of one object',
        hint: 'watch each kind in a terminal of its own',
      },
    ])
  const { resource, names: own } = first
  const query = new URLSearchParams()
  if (flags.selector !== undefined) query.set('labelSelector', flags.selector)
  // a watch of one object is a watch of the list
  if (own[0] !== undefined) query.set('fieldSelector', `metadata.name=${own[0]}`)
  const path = resourcePath(resource, flags.allNamespaces === true ? undefined : flags.namespace)
  await watchTable(lab, { ...formOf(flags), prefix: '', path, query }, signal)
}

function formOf({ output, allNamespaces, showLabels }: GetFlags): Omit<TableRowsForm, 'prefix'> {
  return { wide: output === 'wide', namespaces: allNamespaces === true, labels: showLabels === true }
}

async function get(lab: UpLab, kinds: string, names: string[], flags: GetFlags): Promise<void> {
  const { output } = flags
  if (typeof output === 'object') throw needsKubectl(output)
  const requested = kinds.split(',').flatMap((kind) => (kind === 'all' ? everyday : [kind]))
  const wanted = wantedObjects(requested, names)
  const table = output === undefined || output === 'wide'
  if (flags.showLabels === true && !table)
    throw new InputError([{ message: `--show-labels option cannot be used with ${output} printer` }])
  const found = await Promise.all(
    wanted.map(async ({ resource, names: own }) => ({
      resource,
      named: own.length > 0,
      answers: await askFor(lab, resource, own, flags, table),
    })),
  )
  const text = table
    ? found
        .map(({ answers, resource }) => tableText(answers as ApiTable[], resource, wanted.length > 1, flags))
        .filter((block) => block !== '')
        .join('\n')
    : objectsText(found, output)
  if (text !== '') print(text)
  else printError(`No resources found in ${flags.allNamespaces ? 'any' : flags.namespace} namespace.\n`)
}

/** What `kubectl get all` shows. */
const everyday = resources.filter(({ categories }) => categories.includes('all')).map(({ plural }) => plural)

async function askFor(
  lab: UpLab,
  resource: Resource,
  names: readonly string[],
  flags: GetFlags,
  table: boolean,
): Promise<unknown[]> {
  const namespace = flags.allNamespaces === true ? undefined : flags.namespace
  const query = flags.selector === undefined ? '' : `?labelSelector=${encodeURIComponent(flags.selector)}`
  const paths =
    names.length === 0
      ? [resourcePath(resource, namespace) + query]
      : names.map((name) => resourcePath(resource, namespace, name))
  return Promise.all(paths.map((path) => getFromApi(lab, { path, table })))
}

function tableText(
  answers: readonly ApiTable[],
  { singular, group, namespaced }: Resource,
  several: boolean,
  flags: GetFlags,
): string {
  const [first] = answers
  if (first === undefined || answers.every(({ rows }) => rows.length === 0)) return ''
  const form = {
    ...formOf(flags),
    // objects of the cluster have no namespace
    namespaces: namespaced && flags.allNamespaces === true,
    prefix: several ? `${singular}${group === '' ? '' : `.${group}`}/` : '',
  }
  const [heading = []] = tableRows(first, form)
  return formatTable([heading, ...answers.flatMap((answer) => tableRows(answer, form).slice(1))], {
    gap: columnGap,
    width: foldedWidth(),
  })
}
