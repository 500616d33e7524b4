import type { PodView } from '../results/events.js'
import { nearestName } from '../text/nearestName.js'
import type { Lookup, Named } from './named.js'

/** True for `app=web` and `app=web,tier=front@node-b`: pods of a Deployment have generated names. */
export function isSelector(reference: string): boolean {
  return reference.includes('=')
}

/** The pods that a selector matches, on the node after `@` if there is one, sorted by name. */
export function selectPods(
  selector: string,
  all: readonly Named[],
  nodeNamed: (name: string) => Lookup,
): Lookup {
  const [labels = '', node] = selector.split('@')
  const wanted = labels.split(',').map((pair) => pair.trim().split(/==?/))
  if (wanted.some((pair) => pair.length !== 2 || pair.includes(''))) {
    return {
      problem: `"${selector}" is not a label selector`,
      hint: 'write app=web, app=web,tier=front or app=web@node-b',
    }
  }
  if (node !== undefined) {
    const named = nodeNamed(node)
    if ('problem' in named) return named
  }
  const pods = all.flatMap((one) => (one.kind === 'pod' && one.pod ? [{ one, pod: one.pod }] : []))
  const matching = pods.filter(({ pod }) => wanted.every(([key = '', value]) => pod.labels[key] === value))
  const here = matching.filter(({ pod }) => node === undefined || pod.node === node).map(({ one }) => one)
  const [first, ...rest] = here.sort(byName)
  if (first) return { found: [first, ...rest] }
  if (matching.length > 0) {
    const nodes = [...new Set(matching.map(({ pod }) => pod.node))].sort()
    return {
      problem: `no pod with ${labels} is on ${node ?? 'a node'}`,
      hint: `there are some on ${nodes.join(', ')}`,
    }
  }
  return {
    problem: `no pod has the label ${labels}`,
    hint: likeliest(
      labels,
      pods.map(({ pod }) => pod),
    ),
  }
}

function byName(a: Named, b: Named): number {
  const [first, second] = [`${a.name}/${a.namespace ?? ''}`, `${b.name}/${b.namespace ?? ''}`]
  return first < second ? -1 : Number(first > second)
}

function likeliest(labels: string, pods: readonly PodView[]): string | undefined {
  const known = new Set(
    pods.flatMap((pod) => Object.entries(pod.labels).map(([key, value]) => `${key}=${value}`)),
  )
  const meant = nearestName(labels, known)
  return meant === undefined ? undefined : `did you mean "${meant}"?`
}
