import * as z from 'zod'
import { InputError } from '../errors.js'

/** Checks the arguments of a function of the library, by their names. Throws InputError, which names those that are not valid. */
export function checkArguments<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  given: Readonly<Record<keyof Shape, unknown>>,
): void {
  const { success, error } = z.object(shape).safeParse(given, { jitless: true })
  if (success) return
  throw new InputError(
    error.issues.map(({ path, message }) => ({
      message: `${name}: ${pathText(path)}: ${message.replace(/^Invalid (input|option): /, '')}`,
    })),
  )
}

/** `options.after[0].place` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
}

/** A name, a path, an address. */
export const nonEmpty = z.string().min(1)

/** A length of time, which can be Infinity. */
export const duration = z.custom(
  (value) => typeof value === 'number' && value >= 0,
  'expected a number of 0 or more',
)

/** A function; what it takes and returns is not checked. */
export const callback = z.custom((value) => typeof value === 'function', 'expected function')
