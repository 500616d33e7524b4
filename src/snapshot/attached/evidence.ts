import { exactness } from './nodeParts.js'
import type { ObjectField } from '../../agents/meaning.js'
import type { Path } from '../../cluster/yaml/documents.js'
import type { Bundle } from './bundle.js'

/** A line of what was attached. */
export interface Evidence {
  readonly file: string
  readonly line: number
}

/** The line of a field of an object; of the object if it lacks the field. */
export function evidenceOfObject(
  { objects }: Bundle,
  { kind, namespace = 'default', name, field = '' }: ObjectField,
): Evidence[] {
  const found = objects.find(
    ({ object }) =>
      object.kind === kind &&
      object.metadata.name === name &&
      (kind === 'Node' || (object.metadata.namespace ?? 'default') === namespace),
  )
  return found === undefined ? [] : [found.at(pathOf(field))]
}

/** `spec.ports[0].targetPort` as a path. */
function pathOf(field: string): Path {
  return field
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

/** The lines where texts of a node have a word: the name of a setting. */
export function evidenceOfWord({ nodes }: Bundle, node: string, word: string): Evidence[] {
  const texts = nodes.find(({ name }) => name === node)?.texts ?? []
  return texts.flatMap(({ text }) => {
    const lines = text.text.split('\n')
    const index = lines.findIndex((line) => line.startsWith(word))
    return index < 0 ? [] : [{ file: text.path, line: text.line + index }]
  })
}

/** The line of a rule, or of the policy of a chain, as its tool printed it. */
export function evidenceOfRule(
  { nodes }: Bundle,
  node: string,
  { chain, spec }: { readonly chain: string; readonly spec: string },
): Evidence[] {
  const texts = nodes.find(({ name }) => name === node)?.texts ?? []
  const [, policy] = /^-P \S+ (\S+)$/.exec(spec) ?? []
  const isIt = (line: string) =>
    policy === undefined
      ? line.includes(spec) && line.includes(chain)
      : line.startsWith(`:${chain} ${policy}`) ||
        line.startsWith(`-P ${chain} ${policy}`) ||
        line.startsWith(`Chain ${chain} (policy ${policy}`)
  const found = texts
    .toSorted((a, b) => exactness(a.part) - exactness(b.part))
    .flatMap(({ text, part }) => {
      if (part.rules === undefined && part.nft === undefined) return []
      const index = text.text.split('\n').findIndex(isIt)
      return index < 0 ? [] : [{ file: text.path, line: text.line + index }]
    })
  return found.slice(0, 1)
}
