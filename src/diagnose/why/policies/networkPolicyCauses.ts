import { namespacedName } from '../../../cluster/namespacedName.js'
import {
  decideByPolicies,
  nearMisses,
  type NearMiss,
  type PolicyPacket,
} from '../../../cluster/policies/decide.js'
import { isPolicyPod, policyRef, type PolicyRule } from '../../../cluster/policies/selection.js'
import { podAddresses } from '../../../cluster/pods/podFacts.js'
import type { ClusterNetworkPolicy, NetworkPolicy } from '../../../cluster/types.js'
import {
  namesInNftRule,
  namesInRule,
  policiesAround,
  type NamingRule,
} from '../../../netfilter/policyComments.js'
import { isNative } from '../../../snapshot/model/nft.js'
import { enforcedPolicies } from '../../../snapshot/policyAgents.js'
import { isPolicyAgent } from '../../../snapshot/programs.js'
import { nftChainAt } from '../../../trace/change/editNft.js'
import { socketText } from '../../../net/socketText.js'
import { portOnPath, patchProposal, serviceField, type Failure } from '../asked.js'
import type { Cause } from '../types.js'
import type { Denial } from './denial.js'
import { exceptionProposal, peerProposals, portProposals, ruleProposal } from './policyProposals.js'

/**
 * Why policies deny a packet that a rule of their agent stops: by the objects, or, where they do not deny it or are not known, by the names
 * in the chains of the agent. Empty for other ends.
 */
export function networkPolicyCauses(failure: Failure): Cause[] {
  if (!isPolicyAgent(failure.end.rule?.owner)) return []
  const byObjects = objectCauses(failure)
  return byObjects.length > 0 ? byObjects : agentCauses(failure)
}

/** A rule of an agent, and the policies that the comments around it name: none where they name none. */
function agentCauses({ end, path, packet, snapshot }: Failure): Cause[] {
  const { rule, place } = end
  if (rule === undefined) return []
  const { table } = rule
  const { state } = snapshot
  const saved = state.rules.get(place)?.[packet.family]?.get(table)
  const rulesOf = (chain: string): NamingRule[] =>
    isNative(table)
      ? (nftChainAt(state, { place, table, chain })?.rules ?? []).map(({ spec }) => namesInNftRule(spec))
      : (saved?.get(chain)?.rules ?? []).map((one) => namesInRule(one.rule))
  const steps = path.hops.at(-1)?.steps ?? []
  const notMatched = steps.flatMap((step) =>
    step.kind === 'rule' && step.table === table && step.chain === rule.chain && step.holds === 'no'
      ? [step.number]
      : [],
  )
  const { pod, policies } = policiesAround(rulesOf, rule.chain, new Set(notMatched))
  if (policies.length === 0 && pod === undefined) return []
  const ofPod = pod === undefined ? '' : ` of pod ${pod}`
  const named = policies.length === 0 ? 'no comment names a policy' : policies.join(', ')
  return [
    {
      code: 'denied-by-policy',
      says: `policy agent ${rule.owner} stops it in chain ${rule.chain}, whose policies${ofPod} do not allow it: ${named}`,
      ...(policies.length > 0 && { deniedBy: policies }),
      proposals: [],
    },
  ]
}

function objectCauses(failure: Failure): Cause[] {
  const packet = deniedPacket(failure)
  if (packet === undefined) return []
  const { cluster } = failure.snapshot.model
  const { egress, ingress } = decideByPolicies(enforcedPolicies(failure.snapshot), packet)
  const podAt = (address: string) =>
    cluster.pods.find((pod) => isPolicyPod(pod) && podAddresses(pod).includes(address))
  return (
    [
      ['Egress', egress, packet.destination],
      ['Ingress', ingress, packet.source],
    ] as const
  ).flatMap(([direction, side, other]) => {
    if (side.kind !== 'denied') return []
    const denial = { ...side, direction, packet, other: podAt(other) }
    return [side.by === undefined ? causeOf(failure, denial) : clusterCause(failure, denial, side.by)]
  })
}

/** The packet as the agent's rule saw it. */
function deniedPacket({ path, packet, snapshot }: Failure): PolicyPacket | undefined {
  const after = path.hops.at(-1)?.after
  const { source, destination } = after ?? {}
  const { protocol } = packet
  const port = destination?.port?.first
  if (source === undefined || destination === undefined || port === undefined) return undefined
  if (protocol === 'icmp') return undefined
  const node = snapshot.model.topology.nodes.find(({ addresses }) =>
    addresses.some(({ address }) => address === source.address),
  )
  return {
    ...{ source: source.address, destination: destination.address, port, sourceNode: node?.name },
    protocol: protocol.toUpperCase() as PolicyPacket['protocol'],
  }
}

/** A rule of a ClusterNetworkPolicy that denies. */
function clusterCause(failure: Failure, denial: Denial, by: PolicyRule<ClusterNetworkPolicy>): Cause {
  const { direction, packet, pod } = denial
  const { metadata, spec } = by.policy
  const name = spec[direction === 'Ingress' ? 'ingress' : 'egress']?.[Number(/\d+/.exec(by.field))]?.name
  const rule = name === undefined || name === '' ? by.field : `${by.field} “${name}”`
  const socket = `${packet.protocol} port ${packet.port}`
  const end = direction === 'Ingress' ? `from ${peerText(denial)}` : `to ${peerText(denial)}`
  return {
    code: 'denied-by-cluster-policy',
    says: `ClusterNetworkPolicy ${metadata.name} (tier ${spec.tier}, priority ${spec.priority}) denies ${direction.toLowerCase()} of pod ${namespacedName(pod)} ${end} on ${socket}: ${rule}`,
    object: { ...policyRef(by.policy), field: by.field },
    deniedBy: [metadata.name],
    proposals: [exceptionProposal(failure, denial, by)],
  }
}

/** The other end in words: a pod, or its address. */
function peerText({ direction, packet, other }: Denial): string {
  if (other !== undefined) return `pod ${namespacedName(other)}`
  return direction === 'Ingress' ? packet.source : packet.destination
}

function causeOf(failure: Failure, denial: Denial): Cause {
  const { direction, packet, pod, policies } = denial
  const misses = nearMisses(enforcedPolicies(failure.snapshot), packet, direction)
  const [first] = policies
  const names = policies.map(namespacedName).join(' and ')
  const isolate = policies.length === 1 ? 'isolates' : 'isolate'
  const peer = peerText(denial)
  const socket = socketText({ address: packet.destination, port: packet.port })
  const what =
    direction === 'Ingress'
      ? `allows ${peer} on ${packet.protocol} port ${packet.port}`
      : `allows ${denial.other === undefined ? socket : `${peer} (${socket})`} with ${packet.protocol}`
  const base = `NetworkPolicy ${names} ${isolate} pod ${namespacedName(pod)} for ${direction.toLowerCase()}, and no rule ${what}`
  const found = special(failure, denial, misses)
  const near = found ?? nearly(failure, denial, misses)
  const policy = near?.rule?.policy ?? first
  return {
    code: near?.code ?? 'denied-by-policy',
    says: near === undefined ? base : `${base}; ${near.says}`,
    object: policy && { ...policyRef(policy), field: near?.rule?.field ?? 'spec.policyTypes' },
    deniedBy: policies.map(namespacedName),
    proposals: [
      ...(near?.proposals ?? []),
      ...(first === undefined ? [] : [ruleProposal(failure, denial, near?.changed ?? first)]),
    ],
  }
}

interface Near extends Pick<Cause, 'code' | 'says' | 'proposals'> {
  readonly rule?: PolicyRule | undefined
  /** The policy that a new rule is for; by default the first one that isolates the pod. */
  readonly changed?: NetworkPolicy | undefined
}

/** DNS, a port before DNAT, a source after SNAT. */
function special(failure: Failure, denial: Denial, misses: readonly NearMiss[]): Near | undefined {
  const { direction, packet } = denial
  if (direction === 'Egress' && packet.port === 53)
    return { code: 'policy-without-dns', says: 'without DNS every name fails', proposals: [] }
  const called = failure.packet.destination.port?.first
  const ofService = misses.find(
    ({ rule, fits }) => fits.peers && !fits.ports && called !== packet.port && hasPort(rule, called),
  )
  if (ofService !== undefined)
    return {
      code: 'policy-service-port',
      says: `${ofService.rule.field} allows port ${called} of the Service, but policies see the port of the pod`,
      ...{ rule: ofService.rule, changed: ofService.rule.policy },
      proposals: portProposals(failure, denial, ofService.rule, called),
    }
  return masqueraded(failure, denial)
}

function hasPort({ ports = [] }: PolicyRule, port: number | undefined): boolean {
  return ports.some((one) => one.port !== undefined && one.port === port)
}

/** A rule that allows the caller's own address, which a node has masqueraded. */
function masqueraded(failure: Failure, { direction, packet }: Denial): Near | undefined {
  const { address } = failure.packet.source
  if (direction !== 'Ingress' || address === packet.source) return undefined
  const asCalled = { ...packet, source: address, sourceNode: undefined }
  const { ingress } = decideByPolicies(enforcedPolicies(failure.snapshot), asCalled)
  if (ingress.kind !== 'allowed') return undefined
  const target = portOnPath(failure)
  const isOutside = target !== undefined && target.service.spec.type !== 'ClusterIP'
  return {
    code: 'policy-masqueraded-source',
    says: `${ingress.by.field} allows ${address}, but a node has masqueraded it: the policy sees ${packet.source}`,
    rule: ingress.by,
    proposals: isOutside
      ? [
          patchProposal(
            failure,
            serviceField(target.service, 'spec.externalTrafficPolicy'),
            { spec: { externalTrafficPolicy: 'Local' } },
            'spec.externalTrafficPolicy: Cluster → Local',
          ),
        ]
      : [],
  }
}

/** The rule of which one part fits. */
function nearly(failure: Failure, denial: Denial, misses: readonly NearMiss[]): Near | undefined {
  const [miss] = misses
  if (miss === undefined || (!miss.fits.peers && !miss.fits.ports)) return undefined
  const { rule, fits } = miss
  const field = `${namespacedName(rule.policy)} ${rule.field}`
  const word = denial.direction === 'Ingress' ? 'from' : 'to'
  return {
    ...{ code: 'denied-by-policy', rule, changed: rule.policy },
    says: fits.peers
      ? `${field} has the peer, not the port`
      : `${field} has the port, not the peer (${word})`,
    proposals: fits.peers
      ? portProposals(failure, denial, rule, undefined)
      : peerProposals(failure, denial, rule),
  }
}
