import type { Warning } from '../warnings/warning.js'
import { ageColumn, nameColumn, type Column } from '../columns/column.js'
import type { StructSchema } from '../schema/field.js'
import type { Cluster, KubeObject, ObjectLists } from '../types.js'
import type { FieldError } from '../validation/fieldErrors.js'
import type { ValidateUpdate } from '../validation/update.js'

/** A resource of the API: its path, its names in discovery, its printed columns. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  /** Field selector labels besides metadata.name and metadata.namespace, with the value of an unset field. */
  readonly fields: Readonly<Record<string, string>>
  /** The JSON of the Go type when nothing is set; bookmarks contain it. */
  readonly blank: Readonly<Record<string, unknown>>
  /** The columns of `kubectl get`. */
  readonly columns: readonly Column[]
  /** For a resource that serves the objects of another one in another form. */
  readonly view?: ResourceView
}

/** The resource that stores objects, and their other form. */
interface ResourceView {
  readonly of: Resource
  readonly show: (object: KubeObject) => KubeObject
}

/** A kind of object that a cluster stores: decoded by its schema, then defaulted, then validated. */
export interface Kind<Of extends KubeObject = KubeObject> extends Resource {
  /** The list of a snapshot that holds these objects. */
  readonly list: keyof ObjectLists
  /** The versions of its group in which manifests may write it. */
  readonly versions: readonly string[]
  readonly schema: StructSchema
  readonly setDefaults: (object: Of) => Of
  /** Validates an object that is created or updated. */
  readonly validate: (object: Of) => readonly FieldError[]
  /** Validates an object that is created, besides `validate` and after its values are allocated. */
  readonly validateCreate: (object: Of) => readonly FieldError[]
  /** Validates an update, besides `validate`. */
  readonly validateUpdate: ValidateUpdate<Of>
  /** Whether errors of an update precede those of the object. */
  readonly comparesFirst: boolean
  /** Warnings about an object that is created, or that replaces another one (WarningsOnCreate, WarningsOnUpdate). */
  readonly warnings: (object: Of, before?: Of) => readonly Warning[]
  /** The same about a status that is written. */
  readonly statusWarnings: (status: unknown) => readonly Warning[]
  /** The form in which a validated object is stored (Canonicalize of its strategy). */
  readonly canonicalize: (object: Of) => Of
  /** The status that controllers and kubelets would write, when a snapshot has none. */
  readonly statusOf?: (object: Of, cluster: Cluster) => object
}

type Named = Pick<Resource, 'group' | 'kind' | 'plural'>

interface ResourceFields<Printed extends KubeObject>
  extends Named, Partial<Omit<Resource, keyof Named | 'columns'>> {
  /** Name and age by default. */
  readonly columns?: readonly Column<Printed>[]
}

type KindFields<Of extends KubeObject, Printed extends KubeObject> = Omit<ResourceFields<Printed>, 'kind'> &
  Pick<Kind<Of>, 'list' | 'schema' | 'validate' | 'statusOf'> &
  Partial<
    Pick<
      Kind<Of>,
      | 'versions'
      | 'setDefaults'
      | 'validateCreate'
      | 'validateUpdate'
      | 'comparesFirst'
      | 'canonicalize'
      | 'warnings'
      | 'statusWarnings'
    >
  >

/** A resource from its special properties; by default it is namespaced and read-only. */
export function defineResource<Printed extends KubeObject>(written: ResourceFields<Printed>): Resource {
  const { columns = [nameColumn, ageColumn], ...fields } = written
  return {
    version: 'v1',
    singular: written.kind.toLowerCase(),
    namespaced: true,
    shortNames: [],
    categories: [],
    verbs: ['get', 'list', 'watch'],
    fields: {},
    blank: {},
    ...fields,
    // The store keeps kinds apart: a resource's columns only get objects of its kind.
    columns: columns as readonly Column<never>[] as readonly Column[],
  }
}

/**
 * A kind from functions on its own type; decoding by the schema guarantees that type. By default its version is `v1`,
 * it has no defaults, and all its fields may change. `Printed` adds the fields of the status that only the API serves.
 */
export function defineKind<Of extends KubeObject, Printed extends KubeObject = Of>(
  written: KindFields<Of, Printed>,
): Kind {
  const kind: Kind<Of> = {
    versions: ['v1'],
    setDefaults: (object) => object,
    validateCreate: () => [],
    validateUpdate: () => [],
    comparesFirst: false,
    warnings: () => [],
    statusWarnings: () => [],
    canonicalize: (object) => object,
    ...written,
    ...defineResource({ ...written, kind: written.schema.name }),
  }
  return kind as unknown as Kind
}

/** `group/version` of a resource, or only the version in the core group, as in `apiVersion`. */
export function apiVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}
