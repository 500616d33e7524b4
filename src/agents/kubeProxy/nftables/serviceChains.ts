import { joinHostPort } from '../../../net/socketText.js'
import { networkHolds } from '../../../net/address.js'
import type { ProxyEndpoint } from '../endpoints.js'
import type { ServicePort } from '../servicePort.js'
import { localTraffic } from './baseChains.js'
import { has } from '../versions/features.js'
import { nftChain, nftEndpointNames, nftServiceNames, type NftServiceNames } from './chainNames.js'
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
  const isInlined = has(context.version, 'inlinedMarks')
  const setMark = markStatement(context)
  if (!port.externalPolicyLocal) {
    add([setMark], 'masqueradeExternal', isInlined ? 'masquerade' : undefined)
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
  context: NftContext,
): NftChain {
  const [rules, add] = chainRules(port)
  const { ip } = context
  const isInlined = has(context.version, 'inlinedMarks')
  if (!isInlined && name === internalChain(port)) addMasquerade(add, port, context)
  if (isInlined && port.affinitySeconds === 0) {
    add([{ kind: 'balance', protocol: port.protocolName, endpoints }], 'loadBalancing')
    return { name, rules }
  }
  const names = endpoints.map((endpoint) => nftEndpointNames(port, endpoint))
  if (port.affinitySeconds > 0)
    for (const { chain, affinity } of names) add([`${ip} saddr @${affinity} goto ${chain}`], 'affinity')
  add([{ kind: 'balanceChains', chains: names.map(({ chain }) => chain) }], 'loadBalancing')
  return { name, rules }
}

/** The chain of traffic to the cluster IP. */
function internalChain(port: ServicePort): string {
  const { cluster, local } = nftServiceNames(port)
  return port.internalPolicyLocal ? local : cluster
}

/** Masquerades traffic to the cluster IP in the chain of its Service, as before 1.36. */
function addMasquerade(add: AddRule, port: ServicePort, context: NftContext): void {
  const { ip, masqueradeAll, detector, version } = context
  const toClusterIP = [
    `${ip} daddr ${port.clusterIP}`,
    ...(has(version, 'clusterIPPort') ? [`${port.protocolName} dport ${port.port}`] : []),
  ]
  if (masqueradeAll) add([...toClusterIP, markStatement(context)], 'masqueradeAll')
  else if (detector !== undefined)
    add([...toClusterIP, localTraffic(context, true), markStatement(context)], 'masqueradeOutside')
}

/** Marks a packet to be masqueraded. */
function markStatement({ mark, version }: NftContext): Statement {
  return has(version, 'inlinedMarks')
    ? { kind: 'setMark', operation: 'or', mark }
    : `jump ${nftChain.markForMasquerade}`
}

/** endpoint-: one endpoint; records the client if its Service has session affinity, then DNAT. */
export function endpointChain(
  port: ServicePort,
  endpoint: ProxyEndpoint,
  { ip, version }: NftContext,
): NftChain {
  const [rules, add] = chainRules(port)
  if (!has(version, 'inlinedMarks'))
    add([`${ip} saddr ${endpoint.address} jump ${nftChain.markForMasquerade}`], 'hairpin')
  const { chain, affinity } = nftEndpointNames(port, endpoint)
  if (port.affinitySeconds > 0) add([`update @${affinity} { ${ip} saddr }`], 'remember')
  const to = joinHostPort(endpoint.address, endpoint.port)
  add([`meta l4proto ${port.protocolName} dnat to ${to}`], 'endpoint')
  return { name: chain, rules }
}

type AddRule = (statements: readonly Statement[], reason: NftReason, comment?: string) => void

function chainRules(port: ServicePort): [NftRule[], AddRule] {
  const rules: NftRule[] = []
  return [rules, (statements, reason, comment) => rules.push({ statements, reason, comment, port })]
}
