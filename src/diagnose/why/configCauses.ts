import { isDeepStrictEqual } from 'node:util'
import { isMap, parseDocument, type Document } from 'yaml'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { networkHolds, parseNetwork } from '../../net/address.js'
import type { ObjectField } from '../../agents/meaning.js'
import { asChanged } from '../../snapshot/asChanged.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import { configOn, withFields } from '../../snapshot/model/kubeProxy.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import type { TraceState } from '../../snapshot/model/state.js'
import { predict } from '../../trace/predict.js'
import { allPorts, kubectlOf, type Failure } from './asked.js'
import { answeredWeight } from './outcome.js'
import type { Cause, Proposal } from './types.js'

/** Where kubeadm stores the configuration of kube-proxies. */
const configMap = { kind: 'ConfigMap', namespace: 'kube-system', name: 'kube-proxy' }
const key = 'config.conf'

type Fields = Partial<Pick<KubeProxyConfiguration, 'clusterCIDR' | 'nodePortAddresses'>>

/** A field of kube-proxy's configuration because of which its rules leave out the request, if other rules let it pass. */
export function configCauses(failure: Failure): Cause[] {
  return [...clusterCIDRCauses(failure), ...nodePortCauses(failure)]
}

/** Pods outside of clusterCIDR are clients outside: externalTrafficPolicy Local applies to them. */
function clusterCIDRCauses(failure: Failure): Cause[] {
  const { snapshot, packet, from, end } = failure
  const { kubeProxy, topology } = snapshot.model
  const { address } = packet.source
  const node = topology.nodes.find(({ netns }) => netns === end.place)?.name
  if (kubeProxy.kind === 'none' || node === undefined) return []
  const { clusterCIDR, detectLocalMode } = configOn(kubeProxy, node)
  const pod = topology.pods.find(({ netns }) => netns === from)
  if (detectLocalMode !== 'ClusterCIDR' || pod === undefined || holds(clusterCIDR.split(','), address))
    return []
  const wanted = clusterCIDRFor(snapshot, [address])
  if (wanted === undefined) return []
  return ifItHelps(
    failure,
    { fields: { clusterCIDR: wanted }, nodes: [node] },
    {
      code: 'cluster-cidr-wrong',
      says: `${address} is the address of pod ${pod.namespace ?? 'default'}/${pod.name}, and clusterCIDR of kube-proxy is ${clusterCIDR === '' ? 'empty' : clusterCIDR}, which does not have it: for kube-proxy the request is not from a pod`,
      change: `clusterCIDR: ${clusterCIDR === '' ? 'none' : clusterCIDR} → ${wanted}`,
    },
  )
}

/** A clusterCIDR that holds addresses of pods: that of the ConfigMap, or the pod network; undefined if neither holds them. */
export function clusterCIDRFor(snapshot: Snapshot, addresses: readonly string[]): string | undefined {
  const { families, ranges } = snapshot.model.topology
  const written = mapOf(snapshot)?.get('clusterCIDR')
  const all = [
    ...(typeof written === 'string' ? [written] : []),
    families.map((family) => ranges.pods[family]).join(','),
  ]
  return all.find((one) => addresses.every((address) => holds(one.split(','), address)))
}

/** Node ports are served only on addresses in nodePortAddresses. */
function nodePortCauses(failure: Failure): Cause[] {
  const { snapshot, packet } = failure
  const { kubeProxy, topology } = snapshot.model
  const { address, port } = packet.destination
  if (kubeProxy.kind === 'none') return []
  const target = allPorts(failure).find(
    (one) =>
      one.port.nodePort !== undefined &&
      one.port.nodePort === port?.first &&
      (one.port.protocol ?? 'TCP').toLowerCase() === packet.protocol,
  )
  const node = topology.nodes.find(({ addresses }) => addresses.some((own) => own.address === address))
  if (target === undefined || node === undefined) return []
  const { nodePortAddresses } = configOn(kubeProxy, node.name)
  if (nodePortAddresses.length === 0 || holds(nodePortAddresses, address)) return []
  const now = nodePortAddresses.join(', ')
  const wanted = [...nodePortAddresses, `${address}/${address.includes(':') ? 128 : 32}`]
  return ifItHelps(
    failure,
    { fields: { nodePortAddresses: wanted }, nodes: [node.name] },
    {
      code: 'node-port-addresses',
      says: `${port?.first} is the node port of Service ${namespacedName(target.service)}, and nodePortAddresses of kube-proxy is ${now}: node ports are not served on ${address}`,
      change: `nodePortAddresses also has ${wanted.at(-1)}`,
    },
  )
}

function holds(cidrs: readonly string[], address: string): boolean {
  return cidrs.some((cidr) => {
    const network = parseNetwork(cidr.trim())
    return network !== undefined && networkHolds(network, address)
  })
}

/** A change of the configuration of kube-proxies on nodes. */
interface ConfigChange {
  /** `clusterCIDR: 10.32.0.0/12 → 10.244.0.0/16` */
  readonly change: string
  readonly fields: Fields
  readonly nodes: readonly string[]
}

function ifItHelps(
  failure: Failure,
  { fields, nodes }: Pick<ConfigChange, 'fields' | 'nodes'>,
  { code, says, change }: Pick<Cause, 'code' | 'says'> & Pick<ConfigChange, 'change'>,
): Cause[] {
  const { snapshot, from, packet } = failure
  const edit = configEdit(snapshot.model, fields)
  const weight = (state: TraceState) => answeredWeight(predict(state, from, packet))
  if (weight(edit(snapshot.state)) <= weight(snapshot.state)) return []
  const { object, ...fix } = configFix(snapshot, { change, fields, nodes })
  const proposal: Proposal = { ...{ kind: 'host', place: failure.end.place, edit }, ...fix }
  return [{ code, says, ...(object && { object }), proposals: [proposal] }]
}

/** The state with the rules that kube-proxy writes with another configuration. */
function configEdit(model: LabModel, fields: Fields): (state: TraceState) => TraceState {
  const { kubeProxy } = model
  if (kubeProxy.kind === 'none') return (state) => state
  const next = { ...model, kubeProxy: withFields(kubeProxy, fields) }
  return (state) => asChanged(state, plannedState(model), plannedState(next))
}

/** The configuration in the ConfigMap of kubeadm. */
function mapOf({ model }: Snapshot): Document | undefined {
  const found = (model.cluster.configMaps ?? []).find(
    ({ metadata }) => metadata.name === configMap.name && metadata.namespace === configMap.namespace,
  )
  const document = parseDocument(found?.data?.[key] ?? '')
  return document.errors.length === 0 && isMap(document.contents) ? document : undefined
}

/**
 * Changes the ConfigMap, and restarts every kube-proxy; where the ConfigMap is as it should be, restarts those of the nodes. Without a
 * command where the configuration is not in a ConfigMap.
 */
export function configFix(
  snapshot: Snapshot,
  { change, fields, nodes }: ConfigChange,
): { readonly says: string; readonly command?: string | undefined; readonly object?: ObjectField } {
  const document = mapOf(snapshot)
  const entries = Object.entries(fields)
  if (document === undefined) return { says: `${change}, then kube-proxy restarts` }
  const written = document.toJS() as Readonly<Record<string, unknown>>
  if (entries.every(([name, value]) => isDeepStrictEqual(written[name], value)))
    return {
      says: `kube-proxy on ${nodes.join(', ')} restarts and reads its ConfigMap (${change})`,
      command: restartCommand(snapshot, nodes),
    }
  const object = { ...configMap, field: `data["${key}"].${Object.keys(fields).join()}` }
  for (const [name, value] of entries) document.set(name, value)
  const patch = JSON.stringify({ data: { [key]: document.toString() } })
  const { basis, model } = snapshot
  const patched = `-n ${configMap.namespace} patch configmap/${configMap.name} --type=merge -p '${patch}'`
  const command = `${kubectlOf(basis, model.lab.name)} ${patched} && ${restartCommand(snapshot)}`
  return { says: `${change}, then kube-proxy restarts`, command, object }
}

/** Restarts the kube-proxies of nodes, or all. */
export function restartCommand({ basis, model }: Snapshot, nodes: readonly string[] = []): string {
  const [only] = nodes
  if (basis !== 'attached') {
    const words = nodes.map((node) => `kube-proxy/${node}`).join(' ')
    return `vethlab restart ${model.lab.name} ${words === '' ? 'kube-proxy' : words}`
  }
  const kubectl = `kubectl -n ${configMap.namespace}`
  return nodes.length === 1
    ? `${kubectl} delete pod -l k8s-app=kube-proxy --field-selector spec.nodeName=${only}`
    : `${kubectl} rollout restart daemonset/kube-proxy`
}
