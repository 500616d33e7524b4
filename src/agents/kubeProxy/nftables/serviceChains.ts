import { joinHostPort } from '../../../net/socketText.js'
import { networkHolds } from '../../../net/address.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { localTraffic } from './baseChains.js'
import { nftEndpointNames, type NftServiceNames } from './chainNames.js'
import type { NftContext } from './context.js'
import type { NftReason } from './reason.js'
import type { NftChain, NftRule, Statement } from './rule.js'

/** external-: handles traffic from outside before an endpoint is chosen. */
export function externalChain(
  port: ServicePort,
  { external, cluster, local }: NftServiceNames,
  hasExternal: boolean,
  context: NftContext,
): NftChain {
  const [rules, add] = chainRules(port)
  const setMark: Statement = { kind: 'setMark', operation: 'or', mark: context.mark }
  if (!port.externalPolicyLocal) {
    add([setMark], 'masqueradeExternal', 'masquerade')
    add([`goto ${cluster}`], 'externalToCluster')
    return { name: external, rules }
  }
  if (context.detector !== undefined) {
    add([localTraffic(context, false), `goto ${cluster}`], 'podShortCircuit', 'short-circuit pod traffic')
  }
  add(['fib saddr type local', setMark], 'masqueradeLocal', 'masquerade local traffic')
  add([`fib saddr type local goto ${cluster}`], 'localShortCircuit', 'short-circuit local traffic')
  if (hasExternal) add([`goto ${local}`], 'externalToLocal')
  return { name: external, rules }
}

/** firewall-: which clients may use the load balancer's address, the node itself too if it is in a range. */
export function firewallChain(port: ServicePort, names: NftServiceNames, context: NftContext): NftChain {
  const [rules, add] = chainRules(port)
  const allowsNode = port.sourceRanges.some((range) => networkHolds(range, context.nodeIP))
  const networks = [
    ...port.sourceRanges.map(({ text }) => text),
    // a node may have the balancer's address bound; its own connections then have it as source
    ...(allowsNode ? port.loadBalancerVIPs : []),
  ]
  add([{ kind: 'sourceNotIn', networks }, 'drop'], 'sourceRanges')
  return { name: names.firewall, rules }
}

/** service- or local-: picks one of these endpoints, after session affinity. */
export function balancingChain(
  port: ServicePort,
  name: string,
  endpoints: readonly ProxyEndpoint[],
  { ip }: NftContext,
): NftChain {
  const [rules, add] = chainRules(port)
  if (port.affinitySeconds === 0) {
    add([{ kind: 'balance', protocol: port.protocolName, endpoints }], 'loadBalancing')
    return { name, rules }
  }
  const names = endpoints.map((endpoint) => nftEndpointNames(port, endpoint))
  for (const { chain, affinity } of names) add([`${ip} saddr @${affinity} goto ${chain}`], 'affinity')
  add([{ kind: 'balanceChains', chains: names.map(({ chain }) => chain) }], 'loadBalancing')
  return { name, rules }
}

/** endpoint-: one endpoint of a Service with session affinity; records the client, then DNAT. */
export function endpointChain(port: ServicePort, endpoint: ProxyEndpoint, { ip }: NftContext): NftChain {
  const [rules, add] = chainRules(port)
  const { chain, affinity } = nftEndpointNames(port, endpoint)
  add([`update @${affinity} { ${ip} saddr }`], 'remember')
  const to = joinHostPort(endpoint.address, endpoint.port)
  add([`meta l4proto ${port.protocolName} dnat to ${to}`], 'endpoint')
  return { name: chain, rules }
}

type AddRule = (statements: readonly Statement[], reason: NftReason, comment?: string) => void

function chainRules(port: ServicePort): [NftRule[], AddRule] {
  const rules: NftRule[] = []
  return [rules, (statements, reason, comment) => rules.push({ statements, reason, comment, port })]
}
