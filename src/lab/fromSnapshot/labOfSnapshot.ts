import { stringify } from 'yaml'
import { InputError } from '../../errors.js'
import { clusterDnsAddresses } from '../../cluster/dns/clusterDns.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { serviceOfSlice } from '../../cluster/serviceEndpoints.js'
import type { KubeObject, Service } from '../../cluster/types.js'
import { defaultMode } from '../../agents/kubeProxy/modes.js'
import { defaultVersion, versionText } from '../../agents/kubeProxy/versions/version.js'
import { defaultRanges, type AddressRanges } from '../../net/addressRanges.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { rangeOf, rangesOverlap } from '../../net/ranges.js'
import type { LabModel, Snapshot } from '../../snapshot/model/snapshot.js'
import { schemaAddress } from '../file/schemaAddress.js'
import { isUnready, labNodes, labPod, labService, labSlice } from './labObjects.js'
import { selected, type Selection } from './selected.js'
import { completed } from './completed.js'
import { savedRules } from './savedRules.js'

/** The files of a lab, and what it does not have of its cluster. */
export interface LabOfSnapshot {
  readonly lab: Readonly<Record<string, unknown>>
  readonly objects: readonly KubeObject[]
  /** Saved rules, by their paths in the folder of the lab. */
  readonly rules?: ReadonlyMap<string, string>
  readonly notices: readonly string[]
}

/** More pods than a host starts in a time that people wait for. */
const mostPods = 250

/** What vethlab does not start of a cluster, in messages. */
const leftOut: readonly (readonly [keyof LabModel['cluster'], string])[] = [
  ['ingresses', 'Ingress'],
  ['gateways', 'Gateway'],
]

/**
 * The cluster of a snapshot as a lab: its nodes, the pods of its Services as echo servers, and the Services, with the same addresses
 * where a lab can have them. kube-proxy writes the rules, or with `rules: 'saved'` nodes have those that were read. Throws InputError for a selection
 * that names nothing, and for too many pods.
 */
export function labOfSnapshot(
  snapshot: Snapshot,
  { rules, ...selection }: Selection & { readonly rules?: 'saved' | undefined } = {},
): LabOfSnapshot {
  const { model } = snapshot
  const notices: string[] = []
  const chosen = selected(model.cluster, selection)
  if (chosen.pods.length > mostPods)
    throw new InputError([
      {
        message: `the snapshot has ${chosen.pods.length} pods behind Services, and a lab of it at most ${mostPods}`,
        hint: 'choose with --service, --namespace or --nodes',
      },
    ])
  const { families, ranges } = model.topology
  const hasOwnPods = families.every(
    (family) => !rangesOverlap(rangeOf(ranges.pods[family]), rangeOf(ranges.fabric[family])),
  )
  const { podCIDR, ...cidrs } = rangesOf(ranges, families)
  const topology: Record<string, unknown> = {
    nodes: [],
    clients: model.lab.clients.map(({ name, addresses }) => ({ name, addresses })),
    families,
    ...cidrs,
    ...(hasOwnPods ? { podCIDR } : {}),
  }
  if (!hasOwnPods)
    notices.push('pods get other addresses: those of the cluster are in the range of its nodes')
  const { nodes, pods, services, slices } = completed(chosen, hasOwnPods)
  const nodePorts = services.flatMap(({ spec }) =>
    (spec.ports ?? []).flatMap(({ nodePort }) => nodePort ?? []),
  )
  const { first, last } = defaultRanges.nodePorts
  if (nodePorts.some((port) => port < first || port > last))
    topology['nodePortRange'] = `${Math.min(first, ...nodePorts)}-${Math.max(last, ...nodePorts)}`

  const dnsAddresses = clusterDnsAddresses(ranges, families)
  const isDns = ({ spec }: Service) => dnsAddresses.includes(spec.clusterIP ?? '')
  const hasDns = services.some(isDns)
  const kept = services.filter((one) => !isDns(one))
  const dnsPods = new Set(services.filter(isDns).flatMap((service) => podsOf(service, model)))
  const ownPods = pods.filter((pod) => !dnsPods.has(namespacedName(pod)))
  const labNodesOf = labNodes(nodes, pods, hasOwnPods)
  if (kept.some(({ spec }) => spec.type === 'LoadBalancer'))
    notices.push(`load balancers get addresses of the lab, in ${defaultRanges.loadBalancers.IPv4}`)
  const unready = pods.filter(isUnready).map(namespacedName)
  if (unready.length > 0)
    notices.push(`a probe that fails keeps pods from being ready, as in the cluster: ${unready.join(', ')}`)
  for (const [list, kind] of leftOut) {
    const count = (model.cluster[list] as readonly KubeObject[] | undefined)?.length ?? 0
    if (count > 0) notices.push(`left out: ${count} ${count === 1 ? 'object' : 'objects'} of kind ${kind}`)
  }
  const nodeNames = labNodesOf.map(({ metadata }) => metadata.name)
  const saved = rules === 'saved' ? savedRules(snapshot, nodeNames) : undefined
  if (saved !== undefined) notices.push(...saved.notices)
  return {
    lab: {
      title: `The cluster of ${model.lab.name.replace(/\/+$/, '').replace(/^.*\//, '')}`,
      summary: 'Made from a snapshot of a cluster; its pods are echo servers.',
      topology,
      ...(hasDns ? { dns: true } : {}),
      images: { '*': 'echo' },
      ...(saved?.fields ?? kubeProxyOf(model)),
    },
    objects: [
      ...labNodesOf,
      ...ownPods.map((pod) => labPod(pod, model.cluster, hasOwnPods)),
      ...kept.map(labService),
      ...slices.map(labSlice),
    ],
    ...(saved !== undefined && { rules: saved.files }),
    notices,
  }
}

/** The files of a lab, in a folder of their own. */
export function labFiles({
  lab,
  objects,
  rules = new Map(),
}: LabOfSnapshot): { readonly path: string; readonly text: string }[] {
  return [
    {
      path: 'lab.yaml',
      text: `# yaml-language-server: $schema=${schemaAddress('lab.schema.json')}\n${yaml(lab)}`,
    },
    { path: 'manifests/cluster.yaml', text: manifestText(objects) },
    ...[...rules].map(([path, text]) => ({ path, text })),
  ]
}

/** Objects as the text of a manifest. */
export function manifestText(objects: readonly KubeObject[]): string {
  return objects.map(yaml).join('---\n')
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 120, aliasDuplicateObjects: false })
}

/** The fields of `topology` for the ranges of a cluster. */
export function rangesOf(ranges: AddressRanges, families: readonly IpFamily[]) {
  const cidr = (range: 'fabric' | 'pods' | 'services') =>
    families.map((family) => ranges[range][family]).join(',')
  return { nodeCIDR: cidr('fabric'), podCIDR: cidr('pods'), serviceCIDR: cidr('services') }
}

function podsOf(service: Service, { cluster }: LabModel): string[] {
  return cluster.endpointSlices
    .filter((slice) => serviceOfSlice(slice) === namespacedName(service))
    .flatMap(({ endpoints }) =>
      endpoints.flatMap(({ targetRef: to }) => (to === undefined ? [] : [`${to.namespace}/${to.name}`])),
    )
}

/** Fields of kube-proxy that decide about packets; others are about its process. */
const kubeProxyFields = [
  'clusterCIDR',
  'detectLocal',
  'detectLocalMode',
  'nodePortAddresses',
  'featureGates',
  'iptables',
  'ipvs',
  'nftables',
]

/** What labs set without a word. */
const usualCIDRs = [
  defaultRanges.pods.IPv4,
  defaultRanges.pods.IPv6,
  Object.values(defaultRanges.pods).join(','),
]

/** A value without the fields that say nothing: kubeadm writes all of them. */
function withoutZeros(value: unknown): unknown {
  if (value === null || value === '' || value === false || value === 0 || value === '0s') return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const own = Object.entries(value).flatMap(([name, field]) => {
    const written = withoutZeros(field)
    return written === undefined ? [] : [[name, written] as const]
  })
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** `kubeProxy` and `proxy` of lab.yaml. */
export function kubeProxyOf({ kubeProxy }: Pick<LabModel, 'kubeProxy'>): Record<string, unknown> {
  if (kubeProxy.kind === 'none') return { kubeProxy: false }
  const { fields, config, mode } = kubeProxy
  const own = Object.entries(fields).flatMap(([name, value]) => {
    const written = kubeProxyFields.includes(name) ? withoutZeros(value) : undefined
    return written === undefined ? [] : [[name, written] as const]
  })
  const isUsual = config.clusterCIDR === '' || usualCIDRs.includes(config.clusterCIDR)
  const written = {
    ...Object.fromEntries(own),
    ...(isUsual ? {} : { clusterCIDR: config.clusterCIDR }),
    ...(config.version === defaultVersion ? {} : { version: versionText(config.version) }),
  }
  return {
    ...(Object.keys(written).length === 0 ? {} : { kubeProxy: written }),
    ...(mode === defaultMode ? {} : { proxy: { mode: mode.name } }),
  }
}
