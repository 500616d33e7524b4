import { InputError } from '../errors.js'
import { placeKinds, type Names } from './names.js'

/** What identifies a namespace of a lab. */
interface NamedPlace {
  readonly kind: 'node' | 'client' | 'pod'
  readonly name: string
  readonly namespace?: string | undefined
}

/** The place of a name or a selector; throws InputError, with the nearest names, when there is none. */
export function placeOf<Found extends NamedPlace>(
  names: Names,
  places: readonly Found[],
  reference: string,
): Found {
  const looked = names.lookup(reference, placeKinds)
  if (!('found' in looked)) throw new InputError([{ message: looked.problem, hint: looked.hint }])
  const { kind, name, namespace } = looked.found[0]
  const place = places.find(
    (candidate) => candidate.kind === kind && candidate.name === name && candidate.namespace === namespace,
  )
  if (place === undefined) throw new InputError([{ message: `"${reference}" has no network namespace` }])
  return place
}
