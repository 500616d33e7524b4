/** Nesting that the quick readers follow; the exact reader follows more, and rejects what is too deep. */
export const maxUsualDepth = 100

/** True for lines of printable characters: no tabs, carriage returns, byte order marks, unusual line breaks or surrogates. */
export function isUsualText(text: string): boolean {
  return !/[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text)
}

/** With which characters a plain scalar begins, in a class of a regular expression; a hyphen only before another character. */
export const plainStart = String.raw`A-Za-z0-9_./~$(^+;\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd`

/** The text has something that only the exact reader (documents.ts) can judge. */
export class Unusual extends Error {}

export type Scalar = string | number | boolean | null

/** The value of a plain (unquoted) scalar; throws Unusual for one that only the exact reader can judge. */
export type ToScalar = (source: string) => Scalar
