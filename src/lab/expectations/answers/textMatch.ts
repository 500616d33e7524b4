import * as z from 'zod'
import { shorten } from '../../../names/braces.js'
import { compilePattern, isPattern } from '../../file/pattern.js'

const pattern = z
  .string()
  .refine(isPattern, 'is not a regular expression of RE2, which has no lookaround and no backreferences')

const matchObject = z
  .strictObject({
    equals: z.string().optional().describe('The whole text, without a newline at its end.'),
    contains: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe('A part of the text, or a list of parts that must all occur.'),
    matches: pattern
      .optional()
      .describe(
        'An RE2 regular expression; ^ and $ match at each line. Names in braces are not replaced in it.',
      ),
  })
  .refine((value) => Object.keys(value).length > 0, 'needs equals, contains or matches')

/** The schema of an expected text: the text itself, or `equals`, `contains`, `matches`. */
export const textMatchSchema = z.union([z.string(), matchObject])
export type TextMatch = z.infer<typeof textMatchSchema>

/** True when a text matches. */
export function matchesText(wanted: TextMatch, text: string): boolean {
  const { equals, contains, matches } = typeof wanted === 'string' ? { equals: wanted } : wanted
  if (equals !== undefined && withoutNewline(text) !== withoutNewline(equals)) return false
  if (!pieces(contains).every((piece) => text.includes(piece))) return false
  return matches === undefined || compilePattern(matches)(text)
}

/** The expected text in words. */
export function textWords(wanted: TextMatch): string {
  const { equals, contains, matches } = typeof wanted === 'string' ? { equals: wanted } : wanted
  const words: string[] = []
  if (equals !== undefined) words.push(quote(equals))
  const parts = pieces(contains).map(quote)
  if (parts.length > 0) words.push(`contains ${parts.join(' and ')}`)
  if (matches !== undefined) words.push(`matches /${shorten(matches)}/`)
  return words.join(', ')
}

/** A text in quotes, shortened to a line; in single quotes if it has double ones. */
export function quote(text: string): string {
  const line = shorten(withoutNewline(text), 100)
  return line.includes('"') ? `'${line}'` : `"${line}"`
}

function pieces(contains: string | readonly string[] | undefined): readonly string[] {
  return contains === undefined ? [] : typeof contains === 'string' ? [contains] : contains
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '')
}
