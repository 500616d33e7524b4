import { didYouMean } from '../../text/nearestName.js'
import { records, text } from '../manifests/loose.js'
import type { Container } from '../types.js'
import { forbidden, invalid, notFound, required, type FieldError, type Path } from './fieldErrors.js'
import { localPath } from './volume.js'

/** Validates the volume mounts of a container (ValidateVolumeMounts); `volumes` are the existing names. */
export function validateVolumeMounts(
  path: Path,
  container: Container,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const targets = new Set<string>()
  return records(container['volumeMounts']).flatMap((mount, index) => {
    const at = [...path, index]
    const errors: FieldError[] = []
    const [name, target, subPath, expression] = ['name', 'mountPath', 'subPath', 'subPathExpr'].map((field) =>
      text(mount[field]),
    ) as [string, string, string, string]
    if (name === '') errors.push(required([...at, 'name']))
    else if (!volumes.has(name)) errors.push(notFound([...at, 'name'], name, didYouMean(name, [...volumes])))
    if (target === '') errors.push(required([...at, 'mountPath']))
    else if (targets.has(target)) errors.push(invalid([...at, 'mountPath'], target, 'must be unique'))
    targets.add(target)
    if (subPath !== '') errors.push(...localPath([...at, 'subPath'], subPath))
    if (expression !== '') errors.push(...localPath([...at, 'subPathExpr'], expression))
    if (subPath !== '' && expression !== '')
      errors.push(forbidden([...at, 'subPathExpr'], 'subPathExpr and subPath are mutually exclusive'))
    return errors
  })
}
