/** Nesting that the quick readers follow; the exact reader follows more, and rejects what is too deep. */
export const maxUsualDepth = 100

/** True for lines of printable characters: no tabs, carriage returns, byte order marks, unusual line breaks or surrogates. */
export function isUsualText(text: string): boolean {
  return !/[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/.test(text)
}

/** The text has something that only the exact reader (documents.ts) can judge. */
export class Unusual extends Error {}
