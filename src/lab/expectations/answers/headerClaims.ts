import * as z from 'zod'
import { matchesText, quote, textMatchSchema, textWords } from './textMatch.js'

/** Claims about HTTP headers, by name in any case; `null` says that there is none of the name. */
export const headersSchema = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name'),
    textMatchSchema.nullable(),
  )
  .refine((value) => Object.keys(value).length > 0, 'needs a header')

export type HeaderClaims = z.infer<typeof headersSchema>

/** The claims in words: `Location "https://…/"; no X-Real-IP`. */
export function headerWords(claims: HeaderClaims): string {
  return Object.entries(claims)
    .map(([name, claim]) => (claim === null ? `no ${name}` : `${name} ${textWords(claim)}`))
    .join('; ')
}

/** Holds headers, by their names in lower case, against the claims about them. */
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
  const told = differing.length > 0 ? differing : verdicts
  return { ok: differing.length === 0, observed: told.map(({ observed }) => observed).join('; ') }
}
