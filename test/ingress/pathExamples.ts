import type { PathMatch } from '../../src/ingress/model.js'

/** The paths of an Ingress, the path of a request, and the path that matches. */
export interface PathExample {
  /** In the order of the Ingress, which is not the order of evaluation. */
  readonly paths: readonly PathMatch[]
  readonly request: string
  /** The path that matches; undefined if none does, and the default backend responds. */
  readonly taken: PathMatch | undefined
}

const prefix = (value: string): PathMatch => ({ type: 'Prefix', value })
const exact = (value: string): PathMatch => ({ type: 'Exact', value })

function example(paths: readonly PathMatch[], request: string, takenAt: number | undefined): PathExample {
  return { paths, request, taken: takenAt === undefined ? undefined : paths[takenAt] }
}

/**
 * The table of examples in the documentation of Kubernetes (Services, Load Balancing, and Networking: Ingress, path
 * types), each of its requests a row here; "all paths" are three of them.
 */
export const documentedPaths: readonly PathExample[] = [
  ...['/', '/any', '/any/other/'].map((request) => example([prefix('/')], request, 0)),
  example([exact('/foo')], '/foo', 0),
  example([exact('/foo')], '/bar', undefined),
  example([exact('/foo')], '/foo/', undefined),
  example([exact('/foo/')], '/foo', undefined),
  ...['/foo', '/foo/'].map((request) => example([prefix('/foo')], request, 0)),
  ...['/foo', '/foo/'].map((request) => example([prefix('/foo/')], request, 0)),
  example([prefix('/aaa/bb')], '/aaa/bbb', undefined),
  example([prefix('/aaa/bbb')], '/aaa/bbb', 0),
  example([prefix('/aaa/bbb/')], '/aaa/bbb', 0),
  example([prefix('/aaa/bbb')], '/aaa/bbb/', 0),
  example([prefix('/aaa/bbb')], '/aaa/bbb/ccc', 0),
  example([prefix('/aaa/bbb')], '/aaa/bbbxyz', undefined),
  example([prefix('/'), prefix('/aaa')], '/aaa/ccc', 1),
  example([prefix('/'), prefix('/aaa'), prefix('/aaa/bbb')], '/aaa/bbb', 2),
  example([prefix('/'), prefix('/aaa'), prefix('/aaa/bbb')], '/ccc', 0),
  example([prefix('/aaa')], '/ccc', undefined),
  example([prefix('/foo'), exact('/foo')], '/foo', 1),
]

/** Further examples: case, dots and special characters of patterns are literal. */
export const furtherPaths: readonly PathExample[] = [
  example([exact('/')], '/', 0),
  example([exact('/')], '/foo', undefined),
  example([prefix('/Foo')], '/foo', undefined),
  example([exact('/a.b')], '/aXb', undefined),
  example([exact('/a.b')], '/a.b', 0),
  example([prefix('/a+b')], '/a+b/c', 0),
  example([prefix('/a+b')], '/aab', undefined),
  example([prefix('/a'), exact('/a/'), prefix('/a/b')], '/a/', 1),
  example([exact('/a/b/c'), prefix('/a/b'), prefix('/a')], '/a/b/c/d', 1),
  // the longer of two matches, in any order
  example([prefix('/a/b'), prefix('/a')], '/a/b/c', 0),
]

/** The paths in the order of evaluation: exact ones, then the longest. */
export function inOrder(paths: readonly PathMatch[]): PathMatch[] {
  const rank = ({ type }: PathMatch) => (type === 'Exact' ? 0 : 1)
  return [...paths].sort((a, b) => rank(a) - rank(b) || b.value.length - a.value.length)
}
