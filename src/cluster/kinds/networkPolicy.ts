import { ageColumn, column, nameColumn } from '../columns/column.js'
import { selectorText } from '../columns/selectorText.js'
import { withFirstGeneration } from '../defaults/pod.js'
import { int32, intOrString, list, pointer, string, stringType, strings, struct } from '../schema/field.js'
import { labelSelector, objectSchema } from '../schema/metadata.js'
import type { NetworkPolicy, NetworkPolicyPort } from '../types.js'
import { validateNetworkPolicy } from '../validation/networkPolicy.js'
import { networkPolicyWarnings } from '../warnings/networkPolicy.js'
import { defineKind } from './kind.js'

const peer = struct('NetworkPolicyPeer', {
  podSelector: labelSelector,
  namespaceSelector: labelSelector,
  ipBlock: struct('IPBlock', { cidr: string, except: strings }, ['cidr']),
})

const ports = list(
  struct('NetworkPolicyPort', {
    protocol: pointer(stringType('Protocol')),
    port: pointer(intOrString),
    endPort: pointer(int32),
  }),
)

const networkPolicySpec = struct(
  'NetworkPolicySpec',
  {
    podSelector: labelSelector,
    ingress: list(struct('NetworkPolicyIngressRule', { ports, from: list(peer) })),
    egress: list(struct('NetworkPolicyEgressRule', { ports, to: list(peer) })),
    policyTypes: list(stringType('PolicyType')),
  },
  ['podSelector'],
)

/** NetworkPolicy of networking.k8s.io/v1; columns as printNetworkPolicy of Kubernetes v1.36 writes them. */
export const networkPolicy = defineKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  list: 'networkPolicies',
  schema: objectSchema('NetworkPolicy', { spec: networkPolicySpec }, ['spec']),
  setDefaults,
  validate: validateNetworkPolicy,
  warnings: networkPolicyWarnings,
  blank: { spec: { podSelector: {} } },
  columns: [
    nameColumn,
    column('Pod-Selector', 'pods of its namespace that it isolates', ({ spec }) =>
      selectorText(spec.podSelector),
    ),
    ageColumn,
  ],
})

/** Without policyTypes, egress is meant only when there are egress rules (SetDefaults_NetworkPolicy). */
function setDefaults(policy: NetworkPolicy): NetworkPolicy {
  const { ingress, egress, policyTypes = [], ...spec } = policy.spec
  const implied = (egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']
  return withFirstGeneration({
    ...policy,
    spec: {
      ...spec,
      ...(ingress === undefined ? {} : { ingress: ingress.map(withProtocols) }),
      ...(egress === undefined ? {} : { egress: egress.map(withProtocols) }),
      policyTypes: policyTypes.length > 0 ? policyTypes : implied,
    },
  })
}

function withProtocols<Rule extends { ports?: NetworkPolicyPort[] }>(rule: Rule): Rule {
  const { ports: written } = rule
  if (written === undefined) return rule
  return { ...rule, ports: written.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }
}
