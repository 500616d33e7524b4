import { isObject } from '../schema/decode.js'
import type { ObjectMeta } from '../types.js'
import { invalid, type FieldError } from '../validation/fieldErrors.js'
import type { Json } from '../yaml/json.js'

/**
 * Rejects an update that starts a deletion, or changes the grace period of one. Other changes of what the API server
 * writes are ignored: generation, creationTimestamp and the time of a deletion (BeforeUpdate, ValidateObjectMetaAccessorUpdate).
 */
export function changedDeletion(before: ObjectMeta, metadata: Json | undefined): FieldError[] {
  const { deletionTimestamp = null, deletionGracePeriodSeconds = null } = isObject(metadata) ? metadata : {}
  const { deletionTimestamp: time, deletionGracePeriodSeconds: seconds } = before
  const immutable = 'field is immutable'
  const errors: FieldError[] = []
  if (time === undefined && typeof deletionTimestamp === 'string')
    errors.push(invalid(['metadata', 'deletionTimestamp'], inUtc(deletionTimestamp), immutable))
  if (typeof deletionGracePeriodSeconds === 'number' && deletionGracePeriodSeconds !== seconds)
    errors.push(invalid(['metadata', 'deletionGracePeriodSeconds'], deletionGracePeriodSeconds, immutable))
  return errors
}

/** A time as metav1.Time is written. */
function inUtc(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace(/\.\d+Z$/, 'Z')
}
