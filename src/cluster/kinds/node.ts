import { parseRange } from '../../net/ranges.js'
import { ageColumn, column, nameColumn, wideColumn } from '../columns/column.js'
import {
  anyLists,
  anyObject,
  anyObjects,
  anything,
  bool,
  list,
  pointer,
  string,
  stringType,
  strings,
  struct,
} from '../schema/field.js'
import { objectSchema } from '../schema/metadata.js'
import type { Node } from '../types.js'
import { validateAddress, validateCIDR } from '../validation/addresses.js'
import { type FieldError, invalid, oneOf } from '../validation/fieldErrors.js'
import { dnsSubdomain, labelValue, qualifiedName } from '../validation/formats.js'
import { validateMetadata } from '../validation/metadata.js'
import { defineKind } from './kind.js'

const taint = struct(
  'Taint',
  { key: string, value: string, effect: stringType('TaintEffect'), timeAdded: pointer(string) },
  ['key', 'effect'],
)

const nodeSpec = struct('NodeSpec', {
  podCIDR: string,
  podCIDRs: strings,
  providerID: string,
  unschedulable: bool,
  taints: list(taint),
  configSource: anyObject('NodeConfigSource'),
  externalID: string,
})

const nodeStatus = struct('NodeStatus', {
  addresses: list(
    struct('NodeAddress', { type: stringType('NodeAddressType'), address: string }, ['type', 'address']),
  ),
  phase: string,
  volumesInUse: strings,
  ...anyObjects({
    capacity: 'ResourceList',
    allocatable: 'ResourceList',
    daemonEndpoints: 'NodeDaemonEndpoints',
    nodeInfo: 'NodeSystemInfo',
    config: 'NodeConfigStatus',
    features: 'NodeFeatures',
  }),
  ...anyLists({
    conditions: 'NodeCondition',
    images: 'ContainerImage',
    volumesAttached: 'AttachedVolume',
    runtimeHandlers: 'NodeRuntimeHandler',
  }),
  declaredFeatures: anything,
})

/** A node with the fields of its status that are not in the cluster types. */
export type PrintedNode = Node & {
  status?: {
    conditions?: { type: string; status: string }[]
    nodeInfo?: Partial<
      Record<'kubeletVersion' | 'osImage' | 'kernelVersion' | 'containerRuntimeVersion', string>
    >
  }
}

const blankInfo = [
  ...['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion'],
  ...['kubeletVersion', 'kubeProxyVersion', 'operatingSystem', 'architecture'],
].map((field) => [field, ''])
const blankStatus = {
  daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
  nodeInfo: Object.fromEntries(blankInfo) as Record<string, string>,
}

/** Node of core/v1; columns as printNode of Kubernetes v1.36 writes them. */
export const node = defineKind<Node, PrintedNode>({
  group: '',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  list: 'nodes',
  schema: objectSchema('Node', { spec: nodeSpec, status: nodeStatus }),
  setDefaults,
  validate: validateNode,
  fields: { 'spec.unschedulable': 'false' },
  blank: { spec: {}, status: blankStatus },
  columns: [
    nameColumn,
    column('Status', 'whether the node is ready and schedulable', statusText),
    column('Roles', 'roles from the labels of the node', roles),
    ageColumn,
    column('Version', 'version of the kubelet', ({ status }) => status?.nodeInfo?.kubeletVersion ?? ''),
    wideColumn('Internal-IP', 'address inside the cluster', (node) => address(node, 'InternalIP')),
    wideColumn('External-IP', 'address for the outside', (node) => address(node, 'ExternalIP')),
    wideColumn('OS-Image', 'operating system', ({ status }) => status?.nodeInfo?.osImage || '<unknown>'),
    wideColumn(
      'Kernel-Version',
      'version of the kernel',
      ({ status }) => status?.nodeInfo?.kernelVersion || '<unknown>',
    ),
    wideColumn(
      'Container-Runtime',
      'version of the container runtime',
      ({ status }) => status?.nodeInfo?.containerRuntimeVersion || '<unknown>',
    ),
  ],
})

function statusText({ spec, status }: PrintedNode): string {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable === true ? `${text},SchedulingDisabled` : text
}

function roles({ metadata }: PrintedNode): string {
  const prefix = 'node-role.kubernetes.io/'
  const found = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix) && key !== prefix) return [key.slice(prefix.length)]
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return [...new Set(found)].sort().join(',') || '<none>'
}

function address({ status }: PrintedNode, wanted: 'InternalIP' | 'ExternalIP'): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>'
}

/** Makes podCIDR and podCIDRs consistent, as the API's conversion does. */
function setDefaults(written: Node): Node {
  const { podCIDR, podCIDRs } = written.spec ?? {}
  if (podCIDR === undefined && podCIDRs?.[0] === undefined) return written
  const ranges = podCIDRs ?? (podCIDR === undefined ? [] : [podCIDR])
  return { ...written, spec: { ...written.spec, podCIDRs: ranges, podCIDR: podCIDR ?? ranges[0] ?? '' } }
}

const addressTypes = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS']

/** Validates a Node (ValidateNode, and its addresses, which vethlab assigns to links). */
function validateNode(node: Node): FieldError[] {
  const { podCIDRs = [], taints = [] } = node.spec ?? {}
  const families = podCIDRs.map((range) => parseRange(range)?.family)
  return [
    ...validateMetadata(node.metadata, dnsSubdomain),
    ...podCIDRs.flatMap((range, index) => validateCIDR(['spec', 'podCIDRs', index], range)),
    ...(podCIDRs.length > 2 || (podCIDRs.length === 2 && families[0] === families[1])
      ? [invalid(['spec', 'podCIDRs'], podCIDRs, 'may specify no more than one CIDR for each IP family')]
      : []),
    ...taints.flatMap((taint, index) => {
      const path = ['spec', 'taints', index]
      return [
        ...qualifiedName(taint.key).map((detail) => invalid([...path, 'key'], taint.key, detail)),
        ...labelValue(taint.value ?? '').map((detail) => invalid([...path, 'value'], taint.value, detail)),
        ...oneOf([...path, 'effect'], taint.effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
      ]
    }),
    ...(node.status?.addresses ?? []).flatMap((address, index) => {
      const path = ['status', 'addresses', index]
      return [
        ...oneOf([...path, 'type'], address.type, addressTypes),
        ...(address.type.endsWith('IP') ? validateAddress([...path, 'address'], address.address) : []),
      ]
    }),
  ]
}
