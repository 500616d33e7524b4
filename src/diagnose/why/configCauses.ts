import { isMap, parseDocument } from 'yaml'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { networkHolds, parseNetwork } from '../../net/address.js'
import { asChanged } from '../../snapshot/asChanged.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
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
  const { snapshot, packet, from } = failure
  const { kubeProxy, topology } = snapshot.model
  const { address } = packet.source
  if (kubeProxy.kind === 'none' || kubeProxy.config.detectLocalMode !== 'ClusterCIDR') return []
  const { clusterCIDR } = kubeProxy.config
  const pod = topology.pods.find(({ netns }) => netns === from)
  if (pod === undefined || holds(clusterCIDR.split(','), address)) return []
  const wanted = topology.families.map((family) => topology.ranges.pods[family]).join(',')
  if (!holds(wanted.split(','), address)) return []
  return ifItHelps(
    failure,
    { clusterCIDR: wanted },
    {
      code: 'cluster-cidr-wrong',
      says: `${address} is the address of pod ${pod.namespace ?? 'default'}/${pod.name}, and clusterCIDR of kube-proxy is ${clusterCIDR === '' ? 'empty' : clusterCIDR}, which does not have it: for kube-proxy the request is not from a pod`,
      change: `clusterCIDR: ${clusterCIDR === '' ? 'none' : clusterCIDR} → ${wanted}`,
    },
  )
}

/** Node ports are served only on addresses in nodePortAddresses. */
function nodePortCauses(failure: Failure): Cause[] {
  const { snapshot, packet } = failure
  const { kubeProxy, topology } = snapshot.model
  const { address, port } = packet.destination
  if (kubeProxy.kind === 'none' || kubeProxy.config.nodePortAddresses.length === 0) return []
  const target = allPorts(failure).find(
    (one) =>
      one.port.nodePort !== undefined &&
      one.port.nodePort === port?.first &&
      (one.port.protocol ?? 'TCP').toLowerCase() === packet.protocol,
  )
  const node = topology.nodes.find(({ addresses }) => addresses.some((own) => own.address === address))
  if (target === undefined || node === undefined) return []
  const { nodePortAddresses } = kubeProxy.config
  if (holds(nodePortAddresses, address)) return []
  const now = nodePortAddresses.join(', ')
  const wanted = [...nodePortAddresses, `${address}/${address.includes(':') ? 128 : 32}`]
  return ifItHelps(
    failure,
    { nodePortAddresses: wanted },
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

function ifItHelps(
  failure: Failure,
  fields: Fields,
  { code, says, change }: Pick<Cause, 'code' | 'says'> & { readonly change: string },
): Cause[] {
  const { snapshot, from, packet } = failure
  const edit = configEdit(snapshot.model, fields)
  const weight = (state: TraceState) => answeredWeight(predict(state, from, packet))
  if (weight(edit(snapshot.state)) <= weight(snapshot.state)) return []
  const object = { ...configMap, field: `data["${key}"].${Object.keys(fields).join()}` }
  const proposal: Proposal = {
    ...{ kind: 'host', place: failure.end.place, edit },
    says: `${change}, and kube-proxy restarts`,
    command: configCommand(snapshot, fields),
  }
  return [{ code, says, ...(mapOf(snapshot) !== undefined && { object }), proposals: [proposal] }]
}

/** The state with the rules that kube-proxy writes with another configuration. */
function configEdit(model: LabModel, fields: Fields): (state: TraceState) => TraceState {
  const { kubeProxy } = model
  if (kubeProxy.kind === 'none') return (state) => state
  const next = { ...model, kubeProxy: { ...kubeProxy, config: { ...kubeProxy.config, ...fields } } }
  return (state) => asChanged(state, plannedState(model), plannedState(next))
}

function mapOf({ model }: Snapshot): string | undefined {
  const { configMaps = [] } = model.cluster
  return configMaps.find(
    ({ metadata }) => metadata.name === configMap.name && metadata.namespace === configMap.namespace,
  )?.data?.[key]
}

/** Changes the ConfigMap and restarts every kube-proxy; undefined where the configuration is not in one. */
function configCommand(snapshot: Snapshot, fields: Fields): string | undefined {
  const text = mapOf(snapshot)
  const document = text === undefined ? undefined : parseDocument(text)
  if (document === undefined || !isMap(document.contents)) return undefined
  for (const [name, value] of Object.entries(fields)) document.set(name, value)
  const patch = JSON.stringify({ data: { [key]: document.toString() } })
  const { basis, model } = snapshot
  const object = `-n ${configMap.namespace} patch configmap/${configMap.name} --type=merge -p '${patch}'`
  const restart =
    basis === 'attached'
      ? `kubectl -n ${configMap.namespace} rollout restart daemonset/kube-proxy`
      : `vethlab restart ${model.lab.name} kube-proxy`
  return `${kubectlOf(basis, model.lab.name)} ${object} && ${restart}`
}
