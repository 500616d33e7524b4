import type { ObjectWrite } from '../../../apiserver/write/objectWrite.js'
import {
  namespaceOf,
  policyRef,
  type AnyPolicy,
  type Direction,
  type PolicyRule,
} from '../../../cluster/policies/selection.js'
import type { ClusterNetworkPolicy, NetworkPolicy, NetworkPolicyPeer, Pod } from '../../../cluster/types.js'
import { nearestName } from '../../../text/nearestName.js'
import { clusterCommand, type Failure } from '../asked.js'
import type { Proposal } from '../types.js'
import type { Denial } from './denial.js'

/** The port in a rule that has another one: in place of the Service's port `called`, or added. */
export function portProposals(
  failure: Failure,
  { packet }: Denial,
  rule: PolicyRule<NetworkPolicy>,
  called: number | undefined,
): Proposal[] {
  const { protocol, port } = packet
  const at = (rule.ports ?? []).findIndex((one) => one.port === called && called !== undefined)
  const path = pointerOf(rule)
  if (at >= 0)
    return [
      jsonPatch(failure, rule.policy, `${rule.field}.ports[${at}].port: ${called} → ${port}`, [
        { op: 'replace', path: `${path}/ports/${at}/port`, value: port },
      ]),
    ]
  return [
    jsonPatch(failure, rule.policy, `${rule.field}.ports also has ${protocol} ${port}`, [
      { op: 'add', path: `${path}/ports/-`, value: { protocol, port } },
    ]),
  ]
}

/** The peer in a rule that has the port: a selector that is nearly right, or one more. */
export function peerProposals(failure: Failure, denial: Denial, rule: PolicyRule<NetworkPolicy>): Proposal[] {
  const list = denial.direction === 'Ingress' ? 'from' : 'to'
  const path = `${pointerOf(rule)}/${list}`
  const near = (rule.peers ?? []).flatMap((peer, index): Proposal[] => {
    const found = denial.other && nearPair(peer, denial.other)
    if (found === undefined) return []
    const { key, before, after } = found
    const field = `${rule.field}.${list}[${index}].podSelector.matchLabels`
    return [
      jsonPatch(failure, rule.policy, `${field}.${key}: ${before} → ${after}`, [
        {
          op: 'replace',
          path: `${path}/${index}/podSelector/matchLabels/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          value: after,
        },
      ]),
    ]
  })
  const added = jsonPatch(failure, rule.policy, `${rule.field}.${list} also has ${peerText(denial)}`, [
    { op: 'add', path: `${path}/-`, value: peerOf(denial) },
  ])
  return [...near, added]
}

/** A rule of its own for the packet. */
export function ruleProposal(failure: Failure, denial: Denial, policy: NetworkPolicy): Proposal {
  const { direction, packet } = denial
  const { protocol, port } = packet
  if (direction === 'Egress' && port === 53) return dnsProposal(failure, policy)
  const peers = { [direction === 'Ingress' ? 'from' : 'to']: [peerOf(denial)] }
  return addedRule(failure, policy, direction, `${peerText(denial)} on ${protocol} port ${port}`, {
    ...{ ...peers, ports: [{ protocol, port }] },
  })
}

/** A rule for requests to DNS servers. */
export function dnsProposal(asked: Pick<Failure, 'snapshot'>, policy: NetworkPolicy): Proposal {
  const ports = ['UDP', 'TCP'].map((protocol) => ({ protocol, port: 53 }))
  return addedRule(asked, policy, 'Egress', 'DNS: UDP and TCP port 53', { ports })
}

function addedRule(
  asked: Pick<Failure, 'snapshot'>,
  policy: NetworkPolicy,
  direction: Direction,
  what: string,
  rule: object,
): Proposal {
  const field = direction === 'Ingress' ? 'ingress' : 'egress'
  const isFirst = (policy.spec[field] ?? []).length === 0
  return jsonPatch(asked, policy, `spec.${field} also allows ${what}`, [
    isFirst
      ? { op: 'add', path: `/spec/${field}`, value: [rule] }
      : { op: 'add', path: `/spec/${field}/-`, value: rule },
  ])
}

/** An exception from a rule of a ClusterNetworkPolicy: a rule before it that accepts the packet. */
export function exceptionProposal(
  failure: Failure,
  denial: Denial,
  { policy, field, direction }: PolicyRule<ClusterNetworkPolicy>,
): Proposal {
  const { protocol, port } = denial.packet
  const { ipBlock, podSelector, namespaceSelector } = peerOf(denial)
  const peer =
    ipBlock === undefined ? { pods: { namespaceSelector, podSelector } } : { networks: [ipBlock.cidr] }
  const value = {
    action: 'Accept',
    [direction === 'Ingress' ? 'from' : 'to']: [peer],
    protocols: [{ [protocol.toLowerCase()]: { destinationPort: { number: port } } }],
  }
  const list = `spec.${direction.toLowerCase()}`
  const says = `${list} also accepts ${peerText(denial)} on ${protocol} port ${port}, before ${field}`
  return jsonPatch(failure, policy, says, [{ op: 'add', path: pointerOf({ field }), value }])
}

/** A label of a selector whose value is nearly that of the pod. */
function nearPair(
  { podSelector }: NetworkPolicyPeer,
  { metadata }: Pod,
): { readonly key: string; readonly before: string; readonly after: string } | undefined {
  const wrong = Object.entries(podSelector?.matchLabels ?? {}).filter(
    ([key, value]) => metadata.labels?.[key] !== value,
  )
  const [pair] = wrong
  if (pair === undefined || wrong.length > 1) return undefined
  const [key, before] = pair
  const after = metadata.labels?.[key]
  return after === undefined || nearestName(before, [after]) === undefined
    ? undefined
    : { key, before, after }
}

/** The other end as a peer: its labels, with its namespace if it is another one, or its address. */
function peerOf({ other, policies, direction, packet }: Denial): NetworkPolicyPeer {
  const address = direction === 'Ingress' ? packet.source : packet.destination
  if (other === undefined) return { ipBlock: { cidr: `${address}/${address.includes(':') ? 128 : 32}` } }
  const podSelector = { matchLabels: ownLabels(other) }
  const namespace = namespaceOf(other.metadata)
  const [policy] = policies
  return policy !== undefined && namespace === namespaceOf(policy.metadata)
    ? { podSelector }
    : { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } }, podSelector }
}

function peerText(denial: Denial): string {
  const { ipBlock, podSelector, namespaceSelector } = peerOf(denial)
  const pairs = Object.entries(podSelector?.matchLabels ?? {}).map((pair) => pair.join('='))
  const pods = `pods with ${pairs.join(',')}`
  if (ipBlock !== undefined) return ipBlock.cidr
  return namespaceSelector === undefined ? pods : `${pods} of namespace ${denial.other?.metadata.namespace}`
}

/** Without those that a controller adds to distinguish its pods. */
function ownLabels({ metadata }: Pod): Record<string, string> {
  const added = ['pod-template-hash', 'controller-revision-hash', 'statefulset.kubernetes.io/pod-name']
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !added.includes(key)))
}

/** `/spec/ingress/0` */
function pointerOf({ field }: Pick<PolicyRule, 'field'>): string {
  return `/${field.replace('[', '/').replace(']', '').replaceAll('.', '/')}`
}

function jsonPatch(
  { snapshot }: Pick<Failure, 'snapshot'>,
  policy: AnyPolicy,
  says: string,
  patch: readonly object[],
): Proposal {
  const ref = policyRef(policy)
  const words = `${ref.kind.toLowerCase()}/${ref.name} -p '${JSON.stringify(patch)}' --type=json`
  const change: ObjectWrite = { verb: 'patch', ref, patch, type: 'json' }
  const object = { ...ref, field: says.replace(/(:| also).*/, '') }
  const command = clusterCommand(snapshot, 'patch', words, ref.namespace)
  return { kind: 'object', object, says, command, changes: [change] }
}
