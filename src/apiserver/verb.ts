/** The verb of a request, in the words of the API server; `watch`: it asks for the changes of a list. */
export function verbOf(method: string, name: string | undefined, watch = false): string {
  if (method === 'DELETE') return name === undefined ? 'deletecollection' : 'delete'
  if (method === 'GET' || method === 'HEAD') return name !== undefined ? 'get' : watch ? 'watch' : 'list'
  return { POST: 'create', PUT: 'update', PATCH: 'patch' }[method] ?? method.toLowerCase()
}
