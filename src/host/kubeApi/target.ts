import { badRequest } from '../../apiserver/status.js'

/** The path and the query of a request; throws a 400 Status when the query cannot be decoded. */
export function parseTarget(url: string): { path: string; query: URLSearchParams } {
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = target.indexOf('?')
  const [path, search] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
  try {
    decodeURIComponent(search)
  } catch {
    throw badRequest(`invalid URL escape in the query ${search.slice(0, 200)}`)
  }
  return { path, query: new URLSearchParams(search) }
}
