/** True for a mapping in a part of an object that its schema does not describe. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The mappings in a list; none for other values. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A value as text on one line; empty for other types. Input from users never creates another line in a file. */
export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll(/\p{Cc}/gu, '')
    : ''
}
