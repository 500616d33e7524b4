import type { IpFamily } from '../../cluster/types.js'
import { categorizeEndpoints } from '../endpointCategories.js'
import { endpointsMap, type EndpointsMap } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { servicePorts, type ServicePort } from '../servicePort.js'
import {
  forwardRules,
  jumpRules,
  localnetFirewallRules,
  markMasqRules,
  nfacctCounter,
  nodePortJumps,
  postroutingRules,
  type JumpRule,
} from './baseRules.js'
import { ruleContext, type RuleContext } from './context.js'
import type { Rule } from './rule.js'
import { ServicePortRules } from './serviceRules.js'

/** More endpoints than this, and kube-proxy economises: no comments on endpoints' rules. */
export const largeClusterEndpoints = 1000

/** All that kube-proxy of one node and family writes, with the reason of each rule. */
export interface Ruleset {
  readonly family: IpFamily
  readonly context: RuleContext
  /** In the order in which they are inserted, each at the top of its chain. */
  readonly jumps: readonly JumpRule[]
  readonly filter: {
    /** KUBE-FIREWALL's rule; when empty, kube-proxy leaves that chain as it is. */
    readonly firewall: readonly Rule[]
    readonly forward: readonly Rule[]
  }
  readonly nat: {
    readonly postrouting: readonly Rule[]
    readonly markMasq: readonly Rule[]
    /** The last rules of KUBE-SERVICES. */
    readonly nodePorts: readonly Rule[]
  }
  /** By name, then protocol. */
  readonly servicePorts: readonly ServicePortRules[]
  /** Accounting objects that must exist before the rules are loaded. */
  readonly nfacctCounters: readonly string[]
}

/** The rules that kube-proxy in iptables mode writes for one node and family. */
export function buildRuleset(input: ProxyInput, family: IpFamily): Ruleset {
  const ports = portsOf(input, family)
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  const context = ruleContext(input, family, countEndpoints(ports, endpoints) > largeClusterEndpoints)
  return {
    ...baseRules(input, context),
    servicePorts: ports.map((port) => {
      const categories = categorizeEndpoints(endpoints.get(port.key) ?? [], port, context.place)
      return new ServicePortRules(port, categories, context)
    }),
  }
}

function baseRules(input: ProxyInput, context: RuleContext): Omit<Ruleset, 'servicePorts'> {
  const { config, nfacct } = input
  const { family, mark, nodePorts } = context
  const dropInvalid = !config.conntrack.tcpBeLiberal && input.conntrackBeLiberal !== true
  return {
    family,
    context,
    jumps: jumpRules,
    filter: {
      firewall: nodePorts.localhost ? localnetFirewallRules() : [],
      forward: forwardRules(mark, { dropInvalid, nfacct }),
    },
    nat: {
      postrouting: postroutingRules(mark, input.randomFully ?? true),
      markMasq: markMasqRules(mark),
      nodePorts: nodePortJumps(nodePorts, family),
    },
    nfacctCounters: nfacct ? [nfacctCounter.invalidDropped, nfacctCounter.localhostNodePorts] : [],
  }
}

/** The service ports of one family, by name and then protocol; kube-proxy itself walks them in random order. */
function portsOf(input: ProxyInput, family: IpFamily): readonly ServicePort[] {
  const options = { externalIPs: input.config.featureGates['AllowServiceExternalIPs'] ?? true }
  return input.services.flatMap((service) => servicePorts(service, family, options)).sort(byNameAndProtocol)
}

function byNameAndProtocol(a: ServicePort, b: ServicePort): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.protocol < b.protocol ? -1 : a.protocol > b.protocol ? 1 : 0
}

function countEndpoints(ports: readonly ServicePort[], endpoints: EndpointsMap): number {
  return ports.reduce((count, port) => count + (endpoints.get(port.key)?.length ?? 0), 0)
}
