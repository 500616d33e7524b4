import type { Cluster, KubeObject } from '../../cluster/types.js'

/** A line with a name and a value; several values stand under each other. */
export type Field = readonly [name: string, value: string | readonly string[]]

/** A table under a heading, the names of its columns first; or lines. */
export interface Section {
  readonly heading: string
  readonly rows?: readonly (readonly string[])[]
  readonly lines?: readonly string[]
}

/** What is told of an object beside its name, labels, annotations and events. */
export interface Description {
  readonly fields: readonly Field[]
  readonly sections: readonly Section[]
}

/** How objects of a kind are described. */
export interface Describer<Kind extends KubeObject = KubeObject> {
  readonly kind: Kind['kind']
  /** Resources that it looks at beside the object itself. */
  readonly needs: readonly string[]
  /** Whether it looks at those of all namespaces; otherwise at those of the object's own, if it has one. */
  readonly everywhere?: boolean
  /** The cluster holds the objects of these resources: those of the namespace, or of all. */
  describe(object: Kind, cluster: Cluster): Description
}
