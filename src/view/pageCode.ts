import { createHash } from 'node:crypto'

/** The built page: src/view/page. */
export interface PageCode {
  readonly script: string
  readonly style: string
  /** A script with the texts of a page that is not in English; it runs first. */
  readonly texts?: string | undefined
}

/** A content security policy that allows a page its own script and style, which are part of it, and others only with the nonce. */
export function policyFor(
  { script, style, texts }: PageCode,
  more: readonly string[] = [],
  nonce?: string,
): string {
  const added = nonce === undefined ? '' : ` 'nonce-${nonce}'`
  const first = texts === undefined ? '' : ` '${hashOf(texts)}'`
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'${first}${added}`,
    `style-src '${hashOf(style)}'${added}`,
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join('; ')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it is written in HTML, also in attributes. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? '')
}
