import { namespacedName } from '../../cluster/namespacedName.js'
import { decideByPolicies, type PolicyPacket, type PolicySide } from '../../cluster/policies/decide.js'
import { isPolicyPod, policyRef, type AnyPolicy } from '../../cluster/policies/selection.js'
import { podAddresses } from '../../cluster/pods/podFacts.js'
import type { Cluster, Pod } from '../../cluster/types.js'
import { familyOf } from '../../net/ipFamily.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { enforcedPolicies, hasPolicyAgent } from '../../snapshot/policyAgents.js'
import type { Place } from '../../topology/types.js'
import { titleOf } from '../path/layout.js'
import type { CallerGroup, CallerReason, PodCallers } from './api.js'

/** More callers are not looked at. */
const mostCallers = 500

/** Who may talk to the pod of a network namespace, by the objects of its cluster. */
export function podCallers(snapshot: Snapshot, netns: string): PodCallers {
  const { cluster, topology } = snapshot.model
  const ignored = (snapshot.ignored ?? []).filter((text) => text.includes('Polic'))
  const nothing = { ignored, ports: [], left: 0 }
  const own = topology.pods.find((one) => one.netns === netns)
  const pod = own && podOf(cluster, own)
  if (pod === undefined || !isPolicyPod(pod)) return { ...nothing, state: 'not-selectable' }
  const state = enforcement(snapshot)
  if (state !== 'decided') return { ...nothing, state }
  const others = [
    ...topology.clients,
    ...topology.nodes,
    ...topology.pods.filter(({ netns: at }) => at !== netns),
  ]
  const shown = others.slice(0, mostCallers)
  return {
    ...{ state, ignored, left: others.length - shown.length },
    ports: portsOf(cluster, pod).map(({ port, protocol }) => ({
      port: `${port}/${protocol.toLowerCase()}`,
      groups: grouped(
        shown.flatMap((caller) => {
          const packet = packetOf(caller, pod, { port, protocol })
          return packet === undefined ? [] : [{ caller, ...decided(snapshot, packet) }]
        }),
      ),
    })),
  }
}

function podOf({ pods }: Pick<Cluster, 'pods'>, { namespace = 'default', name }: Place): Pod | undefined {
  return pods.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
}

function enforcement(snapshot: Snapshot): Exclude<PodCallers['state'], 'not-selectable'> {
  const { basis, model, state } = snapshot
  if (basis !== 'attached')
    return model.topology.network.enforcesPolicies === false ? 'not-enforced' : 'decided'
  const { networkPolicies = [], clusterNetworkPolicies = [] } = enforcedPolicies(snapshot)
  if (networkPolicies.length + clusterNetworkPolicies.length === 0) return 'none-attached'
  return hasPolicyAgent(state) ? 'decided' : 'no-agent'
}

type PodPort = Pick<PolicyPacket, 'port' | 'protocol'>

/** The ports that containers of a pod declare, and those to which Services send. */
function portsOf(
  { endpointSlices }: Pick<Cluster, 'endpointSlices'>,
  { metadata, spec, status }: Pod,
): PodPort[] {
  const addresses = podAddresses({ metadata, spec, status } as Pod)
  const declared = spec.containers.flatMap(({ ports = [] }) =>
    ports.map(({ containerPort: port, protocol = 'TCP' }) => ({ port, protocol })),
  )
  const served = endpointSlices
    .filter(({ endpoints }) =>
      endpoints.some((one) => one.addresses.some((address) => addresses.includes(address))),
    )
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ port, protocol = 'TCP' }) => (port === undefined ? [] : [{ port, protocol }]))
  const all = new Map([...declared, ...served].map((one) => [`${one.port} ${one.protocol}`, one]))
  return [...all.values()].sort((a, b) => a.port - b.port)
}

/** The first packet of a connection to the pod, with the address of its caller: no NAT is between them. */
function packetOf(caller: Place, pod: Pod, port: PodPort): PolicyPacket | undefined {
  for (const destination of podAddresses(pod)) {
    const source = caller.addresses.find(({ address }) => familyOf(address) === familyOf(destination))
    if (source === undefined) continue
    const sourceNode = caller.kind === 'node' ? caller.name : undefined
    return { source: source.address, destination, sourceNode, ...port }
  }
  return undefined
}

function decided(snapshot: Snapshot, packet: PolicyPacket): Pick<CallerGroup, 'allowed' | 'reasons'> {
  const { allowed, egress, ingress } = decideByPolicies(enforcedPolicies(snapshot), packet)
  const sides = [reasonOf('egress', egress), reasonOf('ingress', ingress)]
  const denied = [egress, ingress].map(({ kind }) => kind === 'denied')
  return { allowed, reasons: sides.flatMap((one, index) => (allowed || denied[index] ? (one ?? []) : [])) }
}

function reasonOf(end: CallerReason['end'], side: PolicySide): CallerReason | undefined {
  if (side.kind === 'allowed')
    return { end, why: 'rule', policies: [policyName(side.by.policy)], field: side.by.field }
  if (side.kind === 'open')
    return side.why === 'own-node' || side.why === 'not-isolated'
      ? { end, why: side.why, policies: [] }
      : undefined
  if (side.by !== undefined)
    return { end, why: 'rule', policies: [policyName(side.by.policy)], field: side.by.field }
  return { end, why: 'isolated', policies: side.policies.map(policyName) }
}

function policyName(policy: AnyPolicy): string {
  const { kind, namespace, name } = policyRef(policy)
  return `${kind} ${namespace === undefined ? name : namespacedName(policy)}`
}

interface DecidedCaller extends Pick<CallerGroup, 'allowed' | 'reasons'> {
  readonly caller: Place
}

/** Those that are allowed come first. */
function grouped(all: readonly DecidedCaller[]): CallerGroup[] {
  const groups = new Map<
    string,
    Omit<CallerGroup, 'callers'> & { callers: CallerGroup['callers'][number][] }
  >()
  for (const { caller, allowed, reasons } of all) {
    const key = JSON.stringify([allowed, reasons])
    const group = groups.get(key) ?? { allowed, reasons, callers: [] }
    groups.set(key, group)
    const { netns, name, namespace = 'default' } = caller
    group.callers.push({ netns, name: titleOf({ name, namespace }) })
  }
  return [...groups.values()].sort((a, b) => Number(b.allowed) - Number(a.allowed))
}
