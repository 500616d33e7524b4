import { parseRange, rangesOverlap } from '../../net/ranges.js'
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../types.js'
import { validateCIDR, withoutLeadingZeros } from './addresses.js'
import { append, forbidden, invalid, oneOf, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain, portName, portNumber } from './formats.js'
import { validateMetadata, validateSelector } from './metadata.js'

const policyTypes = ['Ingress', 'Egress']

/** Validates a NetworkPolicy (ValidateNetworkPolicy). */
export function validateNetworkPolicy({ metadata, spec }: NetworkPolicy): FieldError[] {
  const { ingress = [], egress = [] } = spec
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...validateSelector(['spec', 'podSelector'], spec.podSelector),
    ...ingress.flatMap(({ ports, from }, index) =>
      validateRule(['spec', 'ingress', index], ports, 'from', from),
    ),
    ...egress.flatMap(({ ports, to }, index) => validateRule(['spec', 'egress', index], ports, 'to', to)),
    ...validateTypes(['spec', 'policyTypes'], spec.policyTypes ?? []),
  ]
}

function validateTypes(path: Path, types: readonly string[]): FieldError[] {
  return types.length > policyTypes.length
    ? [invalid(path, types, 'may not specify more than two policyTypes')]
    : types.flatMap((type, index) => oneOf([...path, index], type, policyTypes))
}

function validateRule(
  path: Path,
  ports: readonly NetworkPolicyPort[] = [],
  field: 'from' | 'to',
  peers: readonly NetworkPolicyPeer[] = [],
): FieldError[] {
  return [
    ...ports.flatMap((port, index) => validatePort([...path, 'ports', index], port)),
    ...peers.flatMap((peer, index) => validatePeer([...path, field, index], peer)),
  ]
}

/** ValidateNetworkPolicyPort. */
function validatePort(path: Path, { protocol, port, endPort }: NetworkPolicyPort): FieldError[] {
  const at = (field: string, value: unknown, details: readonly string[]): FieldError[] =>
    details.map((detail) => invalid([...path, field], value, detail))
  const errors = oneOf([...path, 'protocol'], protocol, ['TCP', 'UDP', 'SCTP'])
  if (typeof port === 'number') {
    append(errors, at('port', port, portNumber(port)))
    // the value in the message is that of `port`, in the API server too
    if (endPort !== undefined && endPort < port)
      append(errors, at('endPort', port, ['must be greater than or equal to `port`']))
    if (endPort !== undefined) append(errors, at('endPort', endPort, portNumber(endPort)))
    return errors
  }
  const other = port === undefined ? 'not specified' : 'non-numeric'
  if (endPort !== undefined)
    append(errors, at('endPort', endPort, [`may not be specified when \`port\` is ${other}`]))
  if (port !== undefined) append(errors, at('port', port, portName(port)))
  return errors
}

/** ValidateNetworkPolicyPeer. */
function validatePeer(path: Path, peer: NetworkPolicyPeer): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const errors = Object.entries({ podSelector, namespaceSelector }).flatMap(([field, selector]) =>
    selector === undefined ? [] : validateSelector([...path, field], selector),
  )
  if (ipBlock !== undefined) append(errors, validateBlock([...path, 'ipBlock'], ipBlock))
  const count = [podSelector, namespaceSelector, ipBlock].filter((one) => one !== undefined).length
  if (count === 0) errors.push(required(path, 'must specify a peer'))
  if (count > 1 && ipBlock !== undefined)
    errors.push(forbidden(path, 'may not specify both ipBlock and another peer'))
  return errors
}

/** ValidateIPBlock: what is left out must lie within the range, and be smaller. */
function validateBlock(
  path: Path,
  { cidr, except = [] }: NonNullable<NetworkPolicyPeer['ipBlock']>,
): FieldError[] {
  if (cidr === '') return [required([...path, 'cidr'])]
  const errors = validateCIDR([...path, 'cidr'], cidr)
  const range = parseRange(withoutLeadingZeros(cidr))
  if (range === undefined) return errors
  for (const [index, text] of except.entries()) {
    const at = [...path, 'except', index]
    append(errors, validateCIDR(at, text))
    const hole = parseRange(withoutLeadingZeros(text))
    if (hole === undefined) continue
    if (!rangesOverlap(range, hole) || hole.prefixLength <= range.prefixLength)
      errors.push(invalid(at, text, 'must be a strict subset of `cidr`'))
  }
  return errors
}
