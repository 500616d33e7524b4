import type { Route } from '../model.js'
import { pathPattern, withoutEndSlashes } from '../pathPattern.js'
import { queryPattern, valuePattern } from '../queryPattern.js'
import type { Line } from './section.js'

/** The ACLs of a section; equal tests share a name. */
export interface Acls {
  /** The name of an ACL that matches if one of these tests does. */
  name(tests: readonly Line[]): string
  lines(): readonly Line[]
}

/** Creates the ACLs of a section. */
export function acls(): Acls {
  const names = new Map<string, string>()
  const lines: Line[] = []
  return {
    name(tests) {
      const key = JSON.stringify(tests)
      const known = names.get(key)
      if (known !== undefined) return known
      const name = `match_${names.size + 1}`
      names.set(key, name)
      for (const test of tests) lines.push(['acl', name, ...test])
      return name
    },
    lines: () => lines,
  }
}

/** The conditions of a route, as names of ACLs that must all match. */
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

/** Tests of the decoded path, one of which must match; empty if all paths match. */
function pathTests(path: Route['path']): Line[] {
  const test = (how: string, pattern: string) => ['var(txn.path)', '-m', how, '--', pattern]
  if (path.type === 'Exact') return [test('str', path.value)]
  if (path.type === 'RegularExpression') return [test('reg', `^${pathPattern(path)}`)]
  const elements = withoutEndSlashes(path.value)
  return elements === '' ? [] : [test('str', elements), test('beg', `${elements}/`)]
}
