/** Version of JSON documents: it increases when a field is removed or changes its meaning, not when one is added. */
export const schemaVersion = 1

/** A JSON document of results, with its version as the first field. */
export function resultDocument<Content extends object>(
  content: Content,
): { readonly schemaVersion: number } & Content {
  return { schemaVersion, ...content }
}
