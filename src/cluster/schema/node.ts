import {
  anyLists,
  anyObject,
  anyObjects,
  anything,
  bool,
  list,
  string,
  stringType,
  strings,
  struct,
} from './field.js'
import { objectSchema } from './metadata.js'

const taint = struct(
  'Taint',
  { key: string, value: string, effect: stringType('TaintEffect'), timeAdded: string },
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

/** Node of core/v1. */
export const nodeSchema = objectSchema('Node', { spec: nodeSpec, status: nodeStatus })

/** Namespace of core/v1. */
export const namespaceSchema = objectSchema('Namespace', {
  spec: anyObject('NamespaceSpec'),
  status: anyObject('NamespaceStatus'),
})
