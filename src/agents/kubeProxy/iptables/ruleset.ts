import { isDeepStrictEqual } from 'node:util'
import type { IpFamily } from '../../../net/ipFamily.js'
import type { Service } from '../../../cluster/types.js'
import { endpointsMap, type ProxyEndpoint } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { ofServices } from '../ofServices.js'
import { has } from '../versions/features.js'
import { servicePortOptions, servicePorts, type ServicePort } from '../servicePort.js'
import {
  forwardRules,
  jumpRulesOf,
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

/** Above this number of endpoints, kube-proxy omits comments on endpoints' rules. */
export const largeClusterEndpoints = 1000

/** Everything that kube-proxy of one node and family writes, with the reason of each rule. */
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
  const ports = portsOf(input, input.services, family)
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  const known = ports.map((port) => endpoints.get(port.key) ?? none)
  const context = ruleContext(input, family, count(known) > largeClusterEndpoints)
  return {
    ...baseRules(input, context),
    servicePorts: ports.map((port, index) => new ServicePortRules(port, known[index] ?? none, context)),
  }
}

/**
 * The same as buildRuleset for a later input, but reuses the Services that did not change;
 * `changed` holds `namespace/name`, see `changesBetween`.
 */
export function updateRuleset(previous: Ruleset, input: ProxyInput, changed: ReadonlySet<string>): Ruleset {
  const { family } = previous
  const { services, endpointSlices } = ofServices(input, changed, family)
  const kept = previous.servicePorts.filter(({ service }) => !changed.has(service))
  const ports = portsOf(input, services, family)
  const endpoints = endpointsMap(endpointSlices, family, input.node.metadata.name)
  const known = ports.map((port) => endpoints.get(port.key) ?? none)
  const total = count(known) + count(kept.map((servicePort) => servicePort.endpoints))
  const context = ruleContext(input, family, total > largeClusterEndpoints)
  // The shared context has changed: no service port can be reused.
  if (!isDeepStrictEqual(context, previous.context)) return buildRuleset(input, family)
  const made = ports.map((port, index) => new ServicePortRules(port, known[index] ?? none, context))
  const servicePorts = [...kept, ...made].sort((a, b) => byNameAndProtocol(a.port, b.port))
  return { ...baseRules(input, context), servicePorts }
}

const none: readonly ProxyEndpoint[] = []

function baseRules(input: ProxyInput, context: RuleContext): Omit<Ruleset, 'servicePorts'> {
  const { config } = input
  const { family, mark, nodePorts, version } = context
  const isLiberal = config.conntrack.tcpBeLiberal || input.conntrackBeLiberal === true
  const dropInvalid = !isLiberal || !has(version, 'liberalConntrack')
  const nfacct = input.nfacct && has(version, 'nfacct')
  return {
    family,
    context,
    jumps: jumpRulesOf(version),
    filter: {
      firewall: nodePorts.localhost && has(version, 'localnetFirewall') ? localnetFirewallRules() : [],
      forward: forwardRules(mark, { dropInvalid, nfacct }),
    },
    nat: {
      postrouting: postroutingRules(mark, input.randomFully ?? true),
      markMasq: markMasqRules(mark),
      nodePorts: nodePortJumps(nodePorts, family, version),
    },
    nfacctCounters: nfacct ? [nfacctCounter.invalidDropped, nfacctCounter.localhostNodePorts] : [],
  }
}

/** The service ports of one family, by name and then protocol; kube-proxy itself uses random order. */
function portsOf(input: ProxyInput, services: readonly Service[], family: IpFamily): readonly ServicePort[] {
  const options = servicePortOptions(input.config)
  return services.flatMap((service) => servicePorts(service, family, options)).sort(byNameAndProtocol)
}

function byNameAndProtocol(a: ServicePort, b: ServicePort): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.protocol < b.protocol ? -1 : a.protocol > b.protocol ? 1 : 0
}

function count(lists: readonly (readonly ProxyEndpoint[])[]): number {
  return lists.reduce((total, list) => total + list.length, 0)
}
