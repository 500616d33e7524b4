import { kindOf } from '../kinds/index.js'
import { fieldPath } from '../schema/decode.js'
import type { KubeObject } from '../types.js'
import type { Path } from '../validation/fieldErrors.js'
import { positionText, type LocatedObject } from './locatedObject.js'

/** What the API server warns about when an object is created. */
export interface ApiWarning {
  readonly object: KubeObject
  /** `spec.externalIPs` */
  readonly field: string
  /** As kubectl prints it, without `Warning: `. */
  readonly message: string
  /** Where the field is: `web.yaml:12:5`, without the column if only the line is known. */
  readonly at: string
}

/** What the API server would warn about when these objects are created, in their order. */
export function apiWarnings(objects: readonly LocatedObject[]): ApiWarning[] {
  return objects.flatMap((located) => warningsAbout(located.object, (path) => positionText(located.at(path))))
}

/** What the API server would warn about when an object is created, which has the defaults of its kind; `at` says where a field is. */
export function warningsAbout(object: KubeObject, at: (path: Path) => string): ApiWarning[] {
  return kindOf(object.kind)
    .warnings(object)
    .map(({ path, message }) => ({ object, field: fieldPath(path), message, at: at(path) }))
}
