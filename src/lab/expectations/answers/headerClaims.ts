import * as z from 'zod'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** Expected HTTP headers, by case-insensitive name; `null` for a header that must be absent. */
export const headersSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name'),
    textMatchSchema.nullable(),
  )
  .refine((value) => Object.keys(value).length > 0, 'needs a header')

export type HeaderClaims = z.infer<typeof headersSchema>

/** The expected headers in words: `Location "https://…/"; no X-Real-IP`. */
export function headerWords(claims: HeaderClaims): string {
  return Object.entries(claims)
    .map(([name, claim]) => (claim === null ? `no ${name}` : `${name} ${textWords(claim)}`))
    .join('; ')
}

/** Compares headers, by lowercase name, with the expected ones. */
export function headersMatch(
  claims: HeaderClaims,
  seen: Readonly<Record<string, string>>,
): { readonly ok: boolean; readonly observed: string } {
  const verdicts = Object.entries(claims).map(([name, claim]) => {
    const key = name.toLowerCase()
    const value = Object.hasOwn(seen, key) ? seen[key] : undefined
    return {
      ok: claim === null ? value === undefined : value !== undefined && matchesText(claim, value),
      observed: value === undefined ? `no ${name}` : `${name} ${quote(value)}`,
    }
  })
  const differing = verdicts.filter(({ ok }) => !ok)
  const shown = differing.length > 0 ? differing : verdicts
  return { ok: differing.length === 0, observed: shown.map(({ observed }) => observed).join('; ') }
}
