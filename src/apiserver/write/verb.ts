/** The verb of a request that writes, in the words of the API server. */
export function verbOf(method: string, name: string | undefined): string {
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase()
}
