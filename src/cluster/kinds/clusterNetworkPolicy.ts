import { ageColumn, column, nameColumn } from '../columns/column.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { anyObject, int32, list, pointer, string, strings, struct } from '../schema/field.js'
import { customSchema, labelSelector } from '../schema/metadata.js'
import type { ClusterNetworkPolicy } from '../types.js'
import { validateClusterNetworkPolicy } from '../validation/clusterNetworkPolicy.js'
import { apiVersionOf, defineKind } from './kind.js'

const pods = {
  namespaces: labelSelector,
  pods: struct('NamespacedPod', { namespaceSelector: labelSelector, podSelector: labelSelector }),
}

const destinationPort = struct('Port', {
  number: int32,
  range: struct('PortRange', { start: int32, end: int32 }, ['start', 'end']),
})

const protocols = list(
  struct('ClusterNetworkPolicyProtocol', {
    ...Object.fromEntries(
      ['tcp', 'udp', 'sctp'].map((protocol) => [
        protocol,
        struct(`ClusterNetworkPolicyProtocol${protocol.toUpperCase()}`, { destinationPort }),
      ]),
    ),
    destinationNamedPort: string,
  }),
)

const rule = { name: string, action: string, protocols }
const from = list(struct('ClusterNetworkPolicyIngressPeer', pods))
const to = list(
  struct('ClusterNetworkPolicyEgressPeer', {
    ...pods,
    nodes: labelSelector,
    networks: strings,
    domainNames: strings,
  }),
)

const spec = struct(
  'ClusterNetworkPolicySpec',
  {
    tier: string,
    priority: pointer(int32),
    subject: struct('ClusterNetworkPolicySubject', pods),
    ingress: list(struct('ClusterNetworkPolicyIngressRule', { ...rule, from }, ['action'])),
    egress: list(struct('ClusterNetworkPolicyEgressRule', { ...rule, to }, ['action'])),
  },
  ['tier', 'subject'],
)

const served = { group: 'policy.networking.k8s.io', version: 'v1alpha2' }

/** ClusterNetworkPolicy of policy.networking.k8s.io/v1alpha2, with the columns of its CRD. */
export const clusterNetworkPolicy = defineKind<ClusterNetworkPolicy>({
  ...served,
  plural: 'clusternetworkpolicies',
  shortNames: ['cnp'],
  namespaced: false,
  versions: ['v1alpha2', 'v1beta1'],
  list: 'clusterNetworkPolicies',
  schema: customSchema('ClusterNetworkPolicy', { spec, status: anyObject('ClusterNetworkPolicyStatus') }, [
    'spec',
  ]),
  setDefaults: ({ status: _status, ...written }) =>
    withFirstGeneration({ ...written, apiVersion: apiVersionOf(served) }),
  validate: validateClusterNetworkPolicy,
  blank: { spec: {} },
  columns: [
    nameColumn,
    column(
      'Tier',
      'evaluated before NetworkPolicies (Admin) or after them (Baseline)',
      ({ spec: { tier } }) => tier,
    ),
    column('Priority', 'lower ones of a tier are evaluated first', ({ spec: { priority } }) => `${priority}`),
    ageColumn,
  ],
})
