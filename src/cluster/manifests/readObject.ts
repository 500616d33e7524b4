import type { Problem } from '../../errors.js'
import { generatedName } from '../hash.js'
import type { Kind } from '../kinds/kind.js'
import { positionText } from './locatedObject.js'
import type { LocatedObject } from './locatedObject.js'
import { decode } from '../schema/decode.js'
import type { KubeObject, ObjectMeta } from '../types.js'
import { invalidObject } from '../validation/fieldErrors.js'
import type { Json } from '../yaml/toValue.js'
import type { YamlDocument } from '../yaml/documents.js'

/** A parsed object: its fields and their positions. */
export interface WrittenObject extends Pick<YamlDocument, 'at' | 'keyAt'> {
  readonly file: string
  readonly value: { [key: string]: Json }
}

/** Decodes, defaults and validates one object of a known kind, as the API server does on create. */
export function readObject(
  written: WrittenObject,
  kind: Kind,
): { located?: LocatedObject; problems: readonly Problem[] } {
  const decoded = decode(written.value, kind.schema)
  if (decoded.problems.length > 0) {
    const { apiVersion } = written.value
    const version = typeof apiVersion === 'string' ? apiVersion.replace(/^.*\//, '') : kind.version
    const prefix = `${kind.kind} in version "${version}" cannot be handled as a ${kind.kind}: `
    return {
      problems: decoded.problems.map((problem) => ({
        message: prefix + problem.message,
        at: problem.key ? written.keyAt(problem.path) : written.at(problem.path),
        hint: problem.hint,
      })),
    }
  }
  // After decoding by the schema of its kind, an object has its type.
  const raw = decoded.value as unknown as KubeObject
  const object = kind.setDefaults({
    ...raw,
    metadata: ownMetadata(raw.metadata, kind.namespaced, positionText(written.at([]))),
  })
  const problems = kind.validate(object).map((error) => ({
    message: invalidObject(object.kind, object.metadata.name, error),
    at: written.at(error.path),
    hint: error.hint,
  }))
  const { file, value } = written
  return { located: { object, file, at: (path) => written.at(path), written: value }, problems }
}

/** The metadata that a manifest may set; the cluster writes owners, uid, deletionTimestamp and the rest. */
function ownMetadata(metadata: ObjectMeta, namespaced: boolean, place: string): ObjectMeta {
  const { generateName = '', namespace, labels, annotations } = metadata
  return {
    // A generated name like that of `kubectl create`, but the same in every run.
    name:
      metadata.name === '' && generateName !== ''
        ? generatedName(generateName.replace(/-$/, ''), place)
        : metadata.name,
    // A Node has no namespace, even when one is written.
    ...(namespaced ? { namespace: namespace === undefined || namespace === '' ? 'default' : namespace } : {}),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  }
}
