import { compareInSnapshot } from '../diagnose/rules.js'
import type { EndpointSlice, Service } from '../cluster/types.js'
import { InputError } from '../errors.js'
import { attachedSnapshot } from '../snapshot/attached/attachedState.js'
import type { GivenProxy } from '../snapshot/attached/attachedModel.js'
import { namesOfNodes, type Bundle } from '../snapshot/attached/bundle.js'

/** Nodes that are tried for rules of which nothing says where they are from. */
const mostTried = 30

/**
 * The bundle with its only texts as those of a node of its objects, if nothing names it: of the given node, or of the one from whose rules
 * they differ least. Which one it is matters to Services that only send to endpoints of the node.
 */
export function withNamedTexts(
  bundle: Bundle,
  given: GivenProxy & { readonly node?: string | undefined },
): Bundle {
  const [only, another] = bundle.nodes
  if (only?.namedBy !== 'nothing' || another !== undefined) return bundle
  const named = (name: string): Bundle => ({ ...bundle, nodes: [{ ...only, name }] })
  const names = namesOfNodes(bundle.objects)
  const { node = '' } = given
  if (node !== '') return names.length === 0 || names.includes(node) ? named(node) : bundle
  const [first] = names
  if (first === undefined) return bundle
  // a node with other addresses than those of the objects is none of them
  if (only.texts.some(({ part }) => (part.devices ?? []).length > 0)) return bundle
  const best = isSameOnNodes(bundle)
    ? first
    : names
        .slice(0, mostTried)
        .map((name) => ({ name, count: differences(named(name), name, given) }))
        .toSorted((a, b) => a.count - b.count)[0]?.name
  const taken = `nothing names the node of the rules: they are taken for those of ${best ?? first}, from which they differ least`
  return names.length === 1 ? named(first) : { ...named(best ?? first), notices: [taken, ...bundle.notices] }
}

/** Whether kube-proxy writes the same rules on each node: no Service prefers endpoints of the node or of its zone. */
function isSameOnNodes({ objects }: Bundle): boolean {
  return objects.every(({ object }) => {
    const { externalTrafficPolicy, internalTrafficPolicy } = (object as Partial<Service>).spec ?? {}
    if (object.kind === 'Service') return ![externalTrafficPolicy, internalTrafficPolicy].includes('Local')
    return (
      object.kind !== 'EndpointSlice' ||
      (object as EndpointSlice).endpoints.every(({ hints }) => hints === undefined)
    )
  })
}

/** How many rules differ from those that kube-proxy writes on a node; of rules that cannot be compared, more than of any other. */
function differences(bundle: Bundle, node: string, given: GivenProxy): number {
  try {
    const { families } = compareInSnapshot(attachedSnapshot(bundle, given), node)
    return families.reduce((sum, one) => sum + one.differences.length, 0)
  } catch (error) {
    if (error instanceof InputError) return Number.MAX_SAFE_INTEGER
    throw error
  }
}
