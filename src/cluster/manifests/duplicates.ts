import type { Problem } from '../../errors.js'
import { pluralOf } from '../kinds/index.js'
import { objectKey, positionText } from './locatedObject.js'
import type { LocatedObject } from './locatedObject.js'

/** Reports objects of the same kind, namespace and name, with a pointer to the first one. */
export function duplicateProblems(objects: readonly LocatedObject[]): Problem[] {
  const first = new Map<string, LocatedObject>()
  return objects.flatMap((located) => {
    const { object } = located
    const key = objectKey(object)
    const earlier = first.get(key)
    if (earlier === undefined || object.metadata.name === '') {
      first.set(key, located)
      return []
    }
    return [
      {
        message: `${pluralOf(object.kind)} "${object.metadata.name}" already exists`,
        at: located.at(['metadata', 'name']),
        hint: `the first is at ${positionText(earlier.at(['metadata', 'name']))}`,
      },
    ]
  })
}

/**
 * Without Namespaces that are written again: several sets of manifests each bring theirs. As with `kubectl apply`, the last one counts; it
 * takes the place of the first.
 */
export function lastNamespaces(objects: readonly LocatedObject[]): readonly LocatedObject[] {
  const spaces = objects.filter(({ object }) => object.kind === 'Namespace' && object.metadata.name !== '')
  const last = new Map(spaces.map((located) => [objectKey(located.object), located]))
  if (last.size === spaces.length) return objects
  return objects.flatMap((located) => {
    if (!spaces.includes(located)) return [located]
    const key = objectKey(located.object)
    const counting = last.get(key)
    last.delete(key)
    return counting ?? []
  })
}
