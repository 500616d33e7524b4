import * as z from 'zod'
import type { PodView } from '../../../results/events.js'
import type { Named } from '../../../names/named.js'
import { podsBehind, type Resolver } from '../../names/resolver.js'
import { outcomeWords, podWords, servingPod } from '../evidence.js'
import { requestKind } from '../kind.js'
import { firstNode, lookAtRules } from '../look.js'
import { reference, references } from '../objects/references.js'

const schema = z.union([
  references,
  z
    .strictObject({
      node: reference.optional().describe('Any pod on this node.'),
      service: reference.optional().describe('Any pod of this Service.'),
    })
    .refine(
      ({ node, service }) => (node === undefined) !== (service === undefined),
      'needs either node or service',
    ),
])

/** `servedBy: app=web@node-b`: the pod that answered is this one, or one of these. */
export const servedBy = requestKind({
  key: 'servedBy',
  description:
    'One of these pods answered: a pod or selector, a list, the pods of a node, or the pods of a Service.',
  needs: { packets: true },
  actions: ['curl', 'nc', 'load', 'stop'],
  schema,
  resolve: (given, resolver) => {
    if (typeof given === 'string' || Array.isArray(given)) {
      const wanted = [given].flat()
      return { words: wanted.join(' or '), pods: podViews(resolver.pods(wanted)) }
    }
    const { node, service } = given
    return node === undefined ? behind(service ?? '', resolver) : onNode(node, resolver)
  },
  describe: ({ words, pods }) => {
    const named = pods.map((pod) => pod.name).join(' or ')
    return {
      name: `served by ${words}`,
      expected:
        pods.length === 0
          ? `${words}; none is ready`
          : named === words || pods.length > 4
            ? words
            : `${words} (${named})`,
    }
  },
  evaluate: ({ pods }, exchange, context) => {
    const pod = servingPod(exchange, context)
    const { request } = exchange
    const unknown =
      request.outcome === 'answered' ? 'an answer that no pod could be seen to give' : outcomeWords(request)
    return {
      ok: request.outcome === 'answered' && pod !== undefined && pods.some((one) => same(one, pod)),
      observed: pod ? podWords(pod) : unknown,
      flow: exchange.flows[0]?.index,
    }
  },
  look: (_, seen, context) => lookAtRules(seen, context, firstNode(seen, context)),
})

interface Wanted {
  readonly words: string
  readonly pods: readonly PodView[]
}

function onNode(text: string, resolver: Resolver): Wanted {
  const node = resolver.within('node').one(text, ['node'])
  const pods = podViews(resolver.names.all).filter((pod) => pod.node === node?.name)
  if (node && pods.length === 0) resolver.problem(`no pod is on ${node.name}`)
  return { words: `a pod on ${text}`, pods }
}

function behind(text: string, resolver: Resolver): Wanted {
  const service = resolver.within('service').one(text, ['service'])
  const pods = service ? podViews(podsBehind(service, resolver.names)) : []
  return { words: `a pod of Service ${text}`, pods }
}

function podViews(all: readonly Named[]): PodView[] {
  return all.flatMap(({ pod }) => pod ?? [])
}

function same(a: { name: string; namespace: string }, b: { name: string; namespace: string }): boolean {
  return a.name === b.name && a.namespace === b.namespace
}
