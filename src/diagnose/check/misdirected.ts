import { isKubeProxyChain } from '../../netfilter/chainOwners.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { serviceEndpoints, slicesOf } from '../../cluster/serviceEndpoints.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { Hop, Path, RuleStep } from '../../trace/model/steps.js'
import type { CheckFinding } from './types.js'

/** Where a request to a Service ends in place of its endpoints. */
export interface Misdirection {
  readonly finding: Omit<CheckFinding, 'affects'>
}

/** Whether a request to a Service goes to something that is no endpoint of it, although no path fails. */
export function misdirectionOf(
  { model, hidden }: Snapshot,
  { service }: { readonly service?: string | undefined },
  paths: readonly Path[],
): Misdirection | undefined {
  const found = model.cluster.services.find((one) => namespacedName(one) === service)
  if (service === undefined || found === undefined) return undefined
  if (hidden?.get(`Service ${service}`)?.includes('endpoints') === true) return undefined
  const endpoints = new Set(
    serviceEndpoints(slicesOf(model.cluster, found.metadata)).flatMap(({ addresses }) => addresses),
  )
  const [namespace, name = ''] = service.split('/')
  const object = { kind: 'Service', namespace, name }
  for (const { choices, hops, relayed, receiver } of paths) {
    if (relayed !== undefined || choices.some(({ kind }) => kind === 'unknown')) continue
    const rewrite = hops.flatMap(foreignRewrite)[0]
    if (rewrite !== undefined && !endpoints.has(rewrite.to.address)) {
      const { place, rule, to } = rewrite
      const { table, chain, number, spec, owner } = rule
      const whose = owner === undefined ? '' : ` (of ${owner})`
      return {
        finding: {
          code: 'foreign-rule',
          says: `rule ${number} of ${table} ${chain} on ${place}${whose} rewrites requests to Service ${service} before kube-proxy’s rules: they reach ${tracedSocketText(to)}, which is no endpoint of it`,
          object,
          node: model.topology.nodes.find(({ netns }) => netns === place)?.name,
          rule: `${place} ${table} ${chain}: ${spec}`,
          decided: { place, table, chain, number, spec, owner },
          fixes: [
            {
              says: `rule ${number} of ${table} ${chain} on ${place} is removed, or does not match the address of the Service`,
            },
          ],
        },
      }
    }
    const { address } = receiver?.socket ?? {}
    const isRewritten = hops.some(({ steps }) =>
      steps.some((step) => step.kind === 'nat' && step.side === 'destination' && step.by === 'rule'),
    )
    if (address !== undefined && isRewritten && endpoints.size > 0 && !endpoints.has(address)) {
      const node = model.topology.nodes.find(({ netns }) => hops.some(({ place }) => place === netns))?.name
      return {
        finding: {
          code: 'rules-stale',
          says: `requests to Service ${service} reach ${receiver?.name ?? address} (${address}), which is no endpoint of it: the rules of ${node ?? 'the node'} are older than the endpoints`,
          object,
          node,
          fixes: [{ says: 'kube-proxy writes its rules again' }],
        },
      }
    }
  }
  return undefined
}

/** The destination that a rule of another program than kube-proxy writes on the path of a request. */
function foreignRewrite({ place, packet, steps }: Hop) {
  if (packet !== 'request') return []
  return steps.flatMap((step, index) => {
    if (step.kind !== 'nat' || step.side !== 'destination' || step.by !== 'rule') return []
    const rule = steps
      .slice(0, index)
      .findLast((one): one is RuleStep => one.kind === 'rule' && one.holds === 'yes')
    if (rule === undefined || isKubeProxyChain(rule.chain) || rule.table.endsWith(' kube-proxy')) return []
    return rule.owner === 'kube-proxy' ? [] : [{ place, rule, to: step.to }]
  })
}
