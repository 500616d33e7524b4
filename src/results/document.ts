/** Version of the documents below: it grows when a field changes its meaning or goes, not when one is added. */
export const schemaVersion = 1

/** A JSON document of results, which states its version first. */
export function resultDocument<Content extends object>(
  content: Content,
): { readonly schemaVersion: number } & Content {
  return { schemaVersion, ...content }
}
