import { matchesSelector } from '../selectors.js'
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../types.js'

/** One condition on a node's label, or on its name. */
interface NodeRequirement {
  /** As kubectl prints selectors: `disk=ssd`, `disk in (nvme,ssd)`. */
  readonly text: string
  isMet(node: Node): boolean
  /** What the node has instead. */
  difference(node: Node): string
}

/** Whether a node matches the nodeSelector and the required node affinity of a pod (GetRequiredNodeAffinity). */
export function matchesNode(spec: PodSpec, node: Node): boolean {
  return alternatives(spec).some((all) => all.every((one) => one.isMet(node)))
}

/** The sum of the weights of the preferred terms that a node matches. */
export function preferredWeight({ affinity }: PodSpec, node: Node): number {
  const preferred = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []
  return preferred
    .filter(({ preference }) => requirementsOf(preference).every((one) => one.isMet(node)))
    .reduce((sum, { weight }) => sum + weight, 0)
}

/** What a pod requires of its node, and how the nearest node differs from that; undefined if it requires nothing. */
export function nearestNode(spec: PodSpec, nodes: readonly Node[]): string | undefined {
  const candidates = nodes.flatMap((node) =>
    alternatives(spec).map((all) => ({ node, all, unmet: all.filter((one) => !one.isMet(node)) })),
  )
  const [nearest] = candidates.sort((a, b) => a.unmet.length - b.unmet.length)
  if (nearest === undefined || nearest.unmet.length === 0) return undefined
  const { node, all, unmet } = nearest
  const hasAffinity = requiredTerms(spec) !== undefined
  const subject = !hasAffinity
    ? 'the nodeSelector is'
    : spec.nodeSelector === undefined
      ? 'the node affinity requires'
      : 'the nodeSelector and the node affinity require'
  const differences = unmet.map((one) => one.difference(node)).join(' and ')
  return `${subject} ${all.map(({ text }) => text).join(',')}; the nearest node, ${node.metadata.name}, ${differences}`
}

/** The lists of conditions of which a node has to meet one: the nodeSelector, with each term of the affinity. */
function alternatives(spec: PodSpec): NodeRequirement[][] {
  const selector = Object.entries(spec.nodeSelector ?? {}).map(([key, value]) =>
    requirement({ key, operator: 'In', values: [value] }),
  )
  const terms = requiredTerms(spec)
  if (terms === undefined) return [selector]
  // a term without conditions matches no node
  return terms
    .map(requirementsOf)
    .filter((all) => all.length > 0)
    .map((all) => [...selector, ...all])
}

function requiredTerms({ affinity }: PodSpec): readonly NodeSelectorTerm[] | undefined {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
}

function requirementsOf({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): NodeRequirement[] {
  const fieldsOf = ({ metadata }: Node) => ({ 'metadata.name': metadata.name })
  return [
    ...matchExpressions.map((one) => requirement(one)),
    ...matchFields.map((one) => requirement(one, fieldsOf)),
  ]
}

function requirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  labelsOf: (node: Node) => Readonly<Record<string, string>> = ({ metadata }) => metadata.labels ?? {},
): NodeRequirement {
  const [first = ''] = values
  const symbol = { Gt: '>', Lt: '<', In: 'in', NotIn: 'notin', Exists: '', DoesNotExist: '!' }[operator]
  const valueOf = (node: Node) => Object.entries(labelsOf(node)).find(([name]) => name === key)?.[1]
  return {
    text:
      operator === 'Gt' || operator === 'Lt'
        ? `${key}${symbol}${first}`
        : operator === 'Exists' || operator === 'DoesNotExist'
          ? `${symbol}${key}`
          : operator === 'In' && values.length === 1
            ? `${key}=${first}`
            : `${key} ${symbol} (${values.join(',')})`,
    isMet(node) {
      if (operator !== 'Gt' && operator !== 'Lt')
        return matchesSelector({ matchExpressions: [{ key, operator, values }] }, labelsOf(node))
      const value = valueOf(node)
      if (value === undefined || !/^-?\d+$/.test(value) || !/^-?\d+$/.test(first)) return false
      return operator === 'Gt' ? BigInt(value) > BigInt(first) : BigInt(value) < BigInt(first)
    },
    difference(node) {
      const value = valueOf(node)
      return value === undefined ? `has no label ${key}` : `has ${key}=${value}`
    },
  }
}
