/** True for a mapping of a part of an object that its schema does not look into. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The mappings of a list; none of anything else. */
export function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** A text on one line; empty for anything else. What a user wrote never makes a further line of a file. */
export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll(/\p{Cc}/gu, '')
    : ''
}
