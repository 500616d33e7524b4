import type * as z from 'zod'
import { parseJson, tooDeepMessage } from '../../cluster/yaml/limits.js'
import { HttpError } from '../../host/view/httpError.js'

/** Parses JSON of a call. Throws HttpError with the name of a field that is not valid. */
export function readJson<Schema extends z.ZodType>(schema: Schema, body: string): z.infer<Schema> {
  let value: unknown
  try {
    value = parseJson(body)
  } catch {
    throw new HttpError(400, `the body is not JSON, or ${tooDeepMessage}`)
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [first] = error.issues
  const field = first?.path.join('.') ?? ''
  throw new HttpError(400, `${field === '' ? 'the body' : `the field "${field}"`}: ${first?.message ?? ''}`)
}
