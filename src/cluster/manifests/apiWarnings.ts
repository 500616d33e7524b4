import { kindOf } from '../kinds/index.js'
import { positionText, type LocatedObject } from './locatedObject.js'

/** What the API server would warn about when these objects are created, with their positions, as kubectl prints it. */
export function apiWarnings(objects: readonly LocatedObject[]): string[] {
  return objects.flatMap(({ object, at }) =>
    kindOf(object.kind)
      .warnings(object)
      .map(({ path, message }) => `${positionText(at(path))}: Warning: ${message}`),
  )
}
