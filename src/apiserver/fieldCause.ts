import type { FieldCause } from './status.js'

// What is wrong with the options of a request: one function per error type, as in apimachinery's field package.

/** A field that may not be set. */
export function forbidden(field: string, why: string): FieldCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}

/** A missing value. */
export function required(field: string, why: string): FieldCause {
  return { reason: 'FieldValueRequired', message: `Required value: ${why}`, field }
}

/** A value that breaks a rule; text is quoted as Go quotes it. */
export function invalid(field: string, value: unknown, why: string): FieldCause {
  const shown = typeof value === 'string' ? goQuoted(value) : JSON.stringify(value)
  return { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: ${why}`, field }
}

/** A value that is not in a closed list. */
export function unsupported(field: string, value: unknown, supported: readonly string[]): FieldCause {
  const list = supported.map((one) => JSON.stringify(one)).join(', ')
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`
  return { reason: 'FieldValueNotSupported', message, field }
}

/** Text that is too long, in bytes. */
export function tooLong(field: string, most: number): FieldCause {
  return { reason: 'FieldValueTooLong', message: `Too long: may not be more than ${most} bytes`, field }
}

/** Whether Go prints a character as it is (unicode.IsPrint). */
export function isPrintable(character: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)
}

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** A text as the verb `%q` of Go prints it. */
function goQuoted(text: string): string {
  const shown = [...text].map((character) => {
    const escape = short[character]
    if (escape !== undefined || isPrintable(character)) return escape ?? character
    const code = character.codePointAt(0) ?? 0
    const hex = (digits: number) => code.toString(16).padStart(digits, '0')
    if (code < 0x20 || code === 0x7f) return `\\x${hex(2)}`
    return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`
  })
  return `"${shown.join('')}"`
}
