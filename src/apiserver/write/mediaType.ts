/** The media type of a Content-Type header, without parameters; JSON by default. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() || 'application/json'
}
