import type { Cluster, KubeObject } from '../../cluster/types.js'

/** A line with a name and a value; further values are printed below the first. */
export type Field = readonly [name: string, value: string | readonly string[]]

/** A table under a heading (the first row has the column names), or lines. */
export interface Section {
  /** Without it, its lines are printed as they are, after an empty one. */
  readonly heading?: string
  readonly rows?: readonly (readonly string[])[]
  readonly lines?: readonly string[]
}

/** The description of an object, without its name, labels, annotations and events. */
export interface Description {
  readonly fields: readonly Field[]
  readonly sections: readonly Section[]
}

/** How objects of a kind are described. */
export interface Describer<Kind extends KubeObject = KubeObject> {
  readonly kind: Kind['kind']
  /** Resources that it reads besides the object itself. */
  readonly needs: readonly string[]
  /** Whether its events are left out. */
  readonly withoutEvents?: boolean
  /** Whether the time of its creation follows its namespace. */
  readonly withCreation?: boolean
  /** Whether it reads these resources in all namespaces; by default only in the object's namespace. */
  readonly allNamespaces?: boolean
  /** Describes an object. The cluster contains the objects of the needed resources. */
  describe(object: Kind, cluster: Cluster): Description
}
