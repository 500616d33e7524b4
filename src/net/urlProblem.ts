/** Why a text is not a valid URL for curl; undefined when it is valid. */
export function urlProblem(text: string): string | undefined {
  // URL removes or encodes them; curl rejects them
  if (/[\s\p{Cc}]/u.test(text)) return 'has a space or control character: write %20 for a space'
  if (!URL.canParse(text)) return 'is not a URL'
  const { protocol, hostname } = new URL(text)
  if (!['http:', 'https:'].includes(protocol)) return 'is not an http:// or https:// URL'
  return hostname === '' ? 'names no host' : undefined
}
