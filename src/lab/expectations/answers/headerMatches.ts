import * as z from 'zod'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** Expected HTTP headers, by case-insensitive name; `null` for a header that must be absent. */
export const headersSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name'),
    textMatchSchema.nullable(),
  )
  .refine((value) => Object.keys(value).length > 0, 'needs a header')

export type HeaderMatches = z.infer<typeof headersSchema>

/** The expected headers in words: `Location "https://…/"; no X-Real-IP`. */
export function headerWords(headers: HeaderMatches): string {
  return Object.entries(headers)
    .map(([name, wanted]) => (wanted === null ? `no ${name}` : `${name} ${textWords(wanted)}`))
    .join('; ')
}

/** Compares headers, by lowercase name, with the expected ones. */
export function headersMatch(
  headers: HeaderMatches,
  seen: Readonly<Record<string, string>>,
): { readonly ok: boolean; readonly observed: string } {
  const verdicts = Object.entries(headers).map(([name, wanted]) => {
    const key = name.toLowerCase()
    const value = Object.hasOwn(seen, key) ? seen[key] : undefined
    return {
      ok: wanted === null ? value === undefined : value !== undefined && matchesText(wanted, value),
      observed: value === undefined ? `no ${name}` : `${name} ${quote(value)}`,
    }
  })
  const differing = verdicts.filter(({ ok }) => !ok)
  const shown = differing.length > 0 ? differing : verdicts
  return { ok: differing.length === 0, observed: shown.map(({ observed }) => observed).join('; ') }
}
