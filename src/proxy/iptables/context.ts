import type { IpFamily } from '../../net/ipFamily.js'
import { localDetector, type LocalDetector } from '../detectLocal.js'
import type { ProxyInput } from '../input.js'
import { nodeIPs, nodePortAddresses, type NodePortAddresses } from '../nodeAddresses.js'
import type { Place } from '../topologyMode.js'

/** What the rules of all service ports share: the node and its configuration, resolved for one family. */
export interface RuleContext {
  readonly family: IpFamily
  readonly place: Place
  readonly nodeIP: string
  readonly detector: LocalDetector | undefined
  readonly masqueradeAll: boolean
  /** The mark of packets to be masqueraded. */
  readonly mark: number
  readonly nodePorts: NodePortAddresses
  /** Whether node port traffic to 127.0.0.0/8 is counted by a rule of its own. */
  readonly countLocalhostNodePorts: boolean
  /** Over 1000 endpoints: comments on endpoints' rules are left out. */
  readonly largeCluster: boolean
}

/** Resolves the configuration of one node for one family. */
export function ruleContext(input: ProxyInput, family: IpFamily, largeCluster: boolean): RuleContext {
  const { config, node } = input
  const nodePorts = nodePortAddresses(input, family)
  return {
    family,
    place: placeOf(input),
    nodeIP: nodeIPs(node, config)[family],
    detector: localDetector(config, node, family),
    masqueradeAll: config.iptables.masqueradeAll,
    mark: 2 ** config.iptables.masqueradeBit,
    nodePorts,
    countLocalhostNodePorts: input.nfacct && nodePorts.localhost,
    largeCluster,
  }
}

/** The node's name and zone, as endpoints' hints are compared with. */
export function placeOf({ node }: ProxyInput): Place {
  return { nodeName: node.metadata.name, zone: node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '' }
}
