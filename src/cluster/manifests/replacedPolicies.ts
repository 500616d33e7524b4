import { isObject } from '../schema/decode.js'
import type { Json } from '../yaml/json.js'
import type { WrittenObject } from './readObject.js'

/** What the kinds of policy.networking.k8s.io/v1alpha1 became in ClusterNetworkPolicy; a Baseline policy was the only one of its kind. */
const replaced: Readonly<Record<string, { readonly tier: string; readonly priority?: number }>> = {
  AdminNetworkPolicy: { tier: 'Admin' },
  BaselineAdminNetworkPolicy: { tier: 'Baseline', priority: 0 },
}

/**
 * An AdminNetworkPolicy or BaselineAdminNetworkPolicy as the ClusterNetworkPolicy that replaced it, with a notice; undefined for other
 * objects. Fields that neither has are kept: decoding reports them, at their positions in the file.
 */
export function asClusterPolicy(
  written: WrittenObject,
): { readonly written: WrittenObject; readonly notice: string } | undefined {
  const { apiVersion, kind, metadata, spec } = written.value
  if (typeof kind !== 'string' || !Object.hasOwn(replaced, kind)) return undefined
  const became = replaced[kind]
  if (became === undefined || apiVersion !== 'policy.networking.k8s.io/v1alpha1') return undefined
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : ''
  const value = {
    ...written.value,
    apiVersion: 'policy.networking.k8s.io/v1alpha2',
    kind: 'ClusterNetworkPolicy',
    spec: isObject(spec) ? { ...became, ...withRules(spec, 'ingress'), ...withRules(spec, 'egress') } : spec,
  }
  const before = (path: readonly (string | number)[]) =>
    path.map((key) => (key === 'protocols' ? 'ports' : key))
  return {
    written: {
      ...{ file: written.file, value: value as WrittenObject['value'] },
      at: (path) => written.at(before(path)),
      keyAt: (path) => written.keyAt(before(path)),
    },
    notice: `${kind} ${name} is read as a ClusterNetworkPolicy of tier ${became.tier} (policy.networking.k8s.io/v1alpha2), which replaced it`,
  }
}

type Fields = Record<string, Json>

function withRules(spec: Fields, field: 'ingress' | 'egress'): Fields {
  const { ingress, egress, ...others } = spec
  const rules = { ingress, egress }[field]
  if (rules === undefined) return others
  return { ...others, [field]: Array.isArray(rules) ? rules.map(ruleOf) : rules }
}

function ruleOf(rule: Json): Json {
  if (!isObject(rule)) return rule
  const { ports, ...others } = rule
  return {
    ...others,
    ...(rule['action'] === 'Allow' && { action: 'Accept' }),
    ...(ports !== undefined && { protocols: Array.isArray(ports) ? ports.map(protocolOf) : ports }),
  }
}

function protocolOf(port: Json): Json {
  if (!isObject(port)) return port
  const { portNumber, portRange, namedPort, ...others } = port
  return {
    ...others,
    ...(namedPort !== undefined && { destinationNamedPort: namedPort }),
    ...(isObject(portNumber) &&
      ofProtocol(portNumber, ({ port: number = null, ...more }) => ({ number, ...more }))),
    ...(isObject(portRange) && ofProtocol(portRange, (range) => ({ range }))),
  }
}

function ofProtocol({ protocol = 'TCP', ...fields }: Fields, portOf: (fields: Fields) => Json): Fields {
  return {
    [typeof protocol === 'string' ? protocol.toLowerCase() : 'tcp']: { destinationPort: portOf(fields) },
  }
}
