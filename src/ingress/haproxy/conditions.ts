import type { Route } from '../model.js'
import { pathPattern, withoutEndSlashes } from '../pathPattern.js'
import { queryPattern, valuePattern } from '../queryPattern.js'
import type { Line } from './section.js'

/** The ACLs of a section, the same test under one name. */
export interface Acls {
  /** The name of an ACL that holds where one of these tests does. */
  name(tests: readonly Line[]): string
  lines(): readonly Line[]
}

/** No ACLs so far. */
export function acls(): Acls {
  const names = new Map<string, string>()
  const lines: Line[] = []
  return {
    name(tests) {
      const key = JSON.stringify(tests)
      const known = names.get(key)
      if (known !== undefined) return known
      const name = `asked_${names.size + 1}`
      names.set(key, name)
      for (const test of tests) lines.push(['acl', name, ...test])
      return name
    },
    lines: () => lines,
  }
}

/** What a route asks of a request, as the names of ACLs that all have to hold. */
export function conditions({ path, method, headers, query }: Route, names: Acls): string[] {
  const tests = pathTests(path)
  return [
    ...(tests.length === 0 ? [] : [names.name(tests)]),
    ...(method === undefined ? [] : [names.name([['method', '-m', 'str', '--', method]])]),
    ...headers.map((match) =>
      names.name([[`req.fhdr(${match.name})`, '-m', 'reg', '--', valuePattern(match)]]),
    ),
    ...query.map((match) => names.name([['query', '-m', 'reg', '--', queryPattern(match)]])),
  ]
}

/** Tests of the decoded path, of which one has to hold; none where every path will do. */
function pathTests(path: Route['path']): Line[] {
  const test = (how: string, pattern: string) => ['var(txn.path)', '-m', how, '--', pattern]
  if (path.type === 'Exact') return [test('str', path.value)]
  if (path.type === 'RegularExpression') return [test('reg', `^${pathPattern(path)}`)]
  const elements = withoutEndSlashes(path.value)
  return elements === '' ? [] : [test('str', elements), test('beg', `${elements}/`)]
}
