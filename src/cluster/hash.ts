// Kubernetes' alphabet for generated names: no vowels, so no words; no 0, 1, 3, which are easy to misread.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** The 32-bit FNV-1a hash of a text in UTF-8. */
export function fnv32a(text: string): number {
  return fnv32(text, (hash, byte) => Math.imul(hash ^ byte, prime))
}

/** The 32-bit FNV-1 hash of a text in UTF-8. */
export function fnv32(
  text: string,
  next = (hash: number, byte: number) => Math.imul(hash, prime) ^ byte,
): number {
  return new TextEncoder().encode(text).reduce(next, 0x811c9dc5) >>> 0
}

const prime = 0x01000193

/** Five characters for the end of a generated name: the same for the same seed. */
export function nameSuffix(seed: string): string {
  // 27^5 is close to 2^24: the low bits of FNV mix better than the high ones of a short text.
  let rest = fnv32a(seed)
  let suffix = ''
  for (let index = 0; index < 5; index++) {
    suffix += alphabet.charAt(rest % alphabet.length)
    rest = Math.floor(rest / alphabet.length)
  }
  return suffix
}

/** The decimal digits of a number as characters of generated names (SafeEncodeString of apimachinery). */
export function safeDigits(number: number): string {
  return [...String(number)].map((digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length)).join('')
}

/** A generated name; the base is truncated so that the result is a DNS label, like in the API server. */
export function generatedName(base: string, seed: string): string {
  return `${base.slice(0, 57)}-${nameSuffix(seed)}`
}

/** JSON with sorted keys: the same text for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}

/** Whether two values have the same JSON, whatever the order of keys: a property that is undefined is as if there were none. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  return [...Object.keys(one), ...Object.keys(other)].every((key) => sameJson(own(one, key), own(other, key)))
}

function own(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Readonly<Record<string, unknown>>)[key] : undefined
}
