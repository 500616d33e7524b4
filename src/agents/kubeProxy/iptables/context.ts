import type { IpFamily } from '../../../net/ipFamily.js'
import { localDetector, type LocalDetector } from '../detectLocal.js'
import type { ProxyInput } from '../input.js'
import { nodeIPs, nodePortAddresses, type NodePortAddresses } from '../nodeAddresses.js'
import type { Place } from '../topologyMode.js'
import { has } from '../versions/features.js'
import type { MinorVersion } from '../versions/version.js'

/** Shared by the rules of all service ports: the node and its configuration, resolved for one family. */
export interface RuleContext {
  readonly family: IpFamily
  readonly version: MinorVersion
  readonly place: Place
  readonly nodeIP: string
  readonly detector: LocalDetector | undefined
  readonly masqueradeAll: boolean
  /** The mark of packets to be masqueraded. */
  readonly mark: number
  readonly nodePorts: NodePortAddresses
  /** Whether a separate rule counts node port traffic to 127.0.0.0/8. */
  readonly countLocalhostNodePorts: boolean
  /** Over 1000 endpoints: endpoints' rules have no comments. */
  readonly largeCluster: boolean
}

/** Resolves the configuration of one node for one family. */
export function ruleContext(input: ProxyInput, family: IpFamily, largeCluster: boolean): RuleContext {
  const { config, node } = input
  const nodePorts = nodePortAddresses(input, family)
  return {
    family,
    version: config.version,
    place: placeOf(input),
    nodeIP: nodeIPs(node, config)[family],
    detector: localDetector(config, node, family),
    masqueradeAll: config.iptables.masqueradeAll,
    mark: 2 ** config.iptables.masqueradeBit,
    nodePorts,
    countLocalhostNodePorts: input.nfacct && nodePorts.localhost && has(config.version, 'nfacct'),
    largeCluster,
  }
}

/** The node's name and zone, for comparison with endpoints' hints. */
export function placeOf({ node }: ProxyInput): Place {
  return { nodeName: node.metadata.name, zone: node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '' }
}
