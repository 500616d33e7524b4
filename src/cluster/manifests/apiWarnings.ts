import { kindOf } from '../kinds/index.js'
import { positionText, type LocatedObject } from './locatedObject.js'

/** What the API server would warn about when these objects are created, with their positions, as kubectl prints it. */
export function apiWarnings(objects: readonly LocatedObject[]): string[] {
  return objects.flatMap((located) =>
    kindOf(located.object.kind)
      .warnings(located.object)
      .map(({ path, message }) => `${positionText(located.at(path))}: Warning: ${message}`),
  )
}
