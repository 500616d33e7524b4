import { Command } from 'commander'
import { describeObject, looksEverywhere, neededResources } from '../../apiserver/describe/describeObject.js'
import type { DescribedEvent } from '../../apiserver/describe/eventSection.js'
import { apiVersionOf, type Resource } from '../../apiserver/resources.js'
import type { KubeObject } from '../../cluster/types.js'
import { getFromApi, resourceNamed, resourcePath } from '../../up/api.js'
import { wantedObjects } from '../wantedObjects.js'
import { withUpLab, type UpLab } from '../../up/upLab.js'
import { print, printError } from '../output.js'

interface DescribeFlags {
  readonly namespace: string
  readonly allNamespaces?: boolean
}

/** `vethlab describe <lab> ingress web`. */
export function describeCommand(): Command {
  return new Command('describe')
    .summary('tell all of objects of a lab that is up, and why something is not served')
    .description(
      'Tells all that there is to know of objects of a lab that is up: what they come down to, what is wrong with ' +
        'them, and their events.',
    )
    .argument('<lab>', 'name of a lab that is up')
    .argument('<kind>', 'ingress, gateway, httproute, svc, … ; or KIND/NAME')
    .argument('[names...]', 'names of objects; all of the namespace when there is none')
    .option('-n, --namespace <namespace>', 'Kubernetes namespace', 'default')
    .option('-A, --all-namespaces', 'of all namespaces')
    .addHelpText('after', '\nExample:\n  $ sudo vethlab describe ingress ingress shop')
    .action(async (name: string, kind: string, names: string[], flags: DescribeFlags) => {
      await withUpLab(name, (lab) => describeAll(lab, kind, names, flags))
    })
}

async function describeAll(lab: UpLab, kind: string, names: string[], flags: DescribeFlags): Promise<void> {
  const namespace = flags.allNamespaces === true ? undefined : flags.namespace
  const texts = await Promise.all(
    wantedObjects([kind], names).map(async ({ resource, names: own }) => {
      const lists = own.length === 0 ? [undefined] : own
      const found = await Promise.all(lists.map((name) => objectsOf(lab, resource, namespace, name)))
      return Promise.all(found.flat().map((object) => describe(lab, resource, object)))
    }),
  )
  const all = texts.flat()
  if (all.length > 0) print(all.join('\n\n'))
  else printError(`No resources found in ${namespace ?? 'any'} namespace.\n`)
}

async function objectsOf(
  lab: UpLab,
  resource: Resource,
  namespace: string | undefined,
  name?: string,
): Promise<KubeObject[]> {
  const path = resourcePath(resource, namespace, name)
  const answer = (await getFromApi(lab, { path, table: false })) as KubeObject & { items?: KubeObject[] }
  // a list says what its items are, they do not
  const { kind } = resource
  return (answer.items ?? [answer]).map((object) => ({ ...object, apiVersion: apiVersionOf(resource), kind }))
}

async function describe(lab: UpLab, resource: Resource, object: KubeObject): Promise<string> {
  const { namespace } = object.metadata
  const needed = neededResources(object.kind).map(resourceNamed)
  const isOwn = resource.namespaced && !looksEverywhere(object.kind)
  const [events, ...lists] = await Promise.all([
    eventsOf(lab, object),
    // what has no namespace may be meant by objects of all
    ...needed.map((one) => objectsOf(lab, one, isOwn ? namespace : undefined)),
  ])
  return describeObject(object, lists.flat(), events, new Date())
}

async function eventsOf(lab: UpLab, { kind, metadata }: KubeObject): Promise<DescribedEvent[]> {
  const fields = `involvedObject.kind=${kind},involvedObject.name=${metadata.name}`
  const path = resourcePath(resourceNamed('events'), metadata.namespace ?? 'default')
  const query = `?fieldSelector=${encodeURIComponent(fields)}`
  const answer = await getFromApi(lab, { path: path + query, table: false })
  return (answer as { items: DescribedEvent[] }).items
}
