import { stringify } from 'yaml'
import { apiVersionOf, type Resource } from '../../apiserver/resources.js'
import { jsonText } from '../../reporters/jsonText.js'
import type { ApiObject } from '../../up/api.js'

/** What the API answered about a resource: objects by name, or one list. */
export interface Found {
  readonly resource: Resource
  readonly named: boolean
  readonly answers: readonly unknown[]
}

/**
 * Objects in an output format of kubectl: one object as it is, several as one `kind: List`. The items of the API's lists
 * have no kind and apiVersion; these get them.
 */
export function objectsText(found: readonly Found[], output: 'yaml' | 'json' | 'name'): string {
  const items = found.flatMap(objectsOf)
  if (output === 'name')
    return items.map(({ resource, object }) => `${printedKind(resource)}/${object.metadata.name}\n`).join('')
  const objects = items.map(({ resource: { kind, ...of }, object }) => ({
    apiVersion: apiVersionOf(of),
    kind,
    ...object,
  }))
  const [only] = objects
  const value =
    objects.length === 1 && found.every(({ named }) => named)
      ? only
      : { apiVersion: 'v1', items: objects, kind: 'List', metadata: { resourceVersion: '' } }
  return output === 'json' ? jsonText(value, 4) : stringify(value)
}

function objectsOf({ resource, named, answers }: Found): { resource: Resource; object: ApiObject }[] {
  const objects = named ? answers : answers.flatMap((answer) => (answer as { items: unknown[] }).items)
  return objects.map((object) => ({ resource, object: object as ApiObject }))
}

function printedKind({ singular, group }: Resource): string {
  return group === '' ? singular : `${singular}.${group}`
}
