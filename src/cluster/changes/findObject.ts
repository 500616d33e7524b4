import { InputError } from '../../errors.js'
import { kindOf, objectsOf, pluralOf, withObjects } from '../kinds/index.js'
import { didYouMean } from '../../text/nearestName.js'
import type { Cluster, KubeObject } from '../types.js'

/** A reference to an object, by the kind in its manifest (`Deployment`). */
export interface ObjectRef {
  readonly kind: string
  /** `default` when a namespaced kind has none. */
  readonly namespace?: string | undefined
  readonly name: string
}

/** The referenced object. Throws InputError with the message of the API server: `services "web" not found`. */
export function findObject(cluster: Cluster, ref: ObjectRef): KubeObject {
  const { kind, name } = ref
  const found = objectsOf(cluster, kind).find((object) => matchesRef(object, ref))
  if (found !== undefined) return found
  const here = objectsOf(cluster, kind).filter((object) =>
    matchesRef(object, { ...ref, name: object.metadata.name }),
  )
  throw new InputError([
    {
      message: `${pluralOf(kind)} "${name}" not found`,
      hint: didYouMean(
        name,
        here.map(({ metadata }) => metadata.name),
      ),
    },
  ])
}

/** The reference to an object. */
export function refOf({ kind, metadata: { namespace, name } }: KubeObject): ObjectRef {
  return { kind, namespace, name }
}

/** Whether a reference matches an object. */
export function matchesRef({ kind, metadata }: KubeObject, ref: ObjectRef): boolean {
  if (kind !== ref.kind || metadata.name !== ref.name) return false
  return !kindOf(kind).namespaced || (metadata.namespace ?? 'default') === (ref.namespace ?? 'default')
}

/** The snapshot with an object replaced. */
export function replaceObject(cluster: Cluster, before: KubeObject, after: KubeObject): Cluster {
  const objects = objectsOf(cluster, before.kind).map((object) => (object === before ? after : object))
  return withObjects(cluster, before.kind, objects)
}
