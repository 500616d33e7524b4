import { parseRange } from '../addresses.js'
import type { Namespace, Node } from '../types.js'
import { validateAddress, validateCIDR } from './addresses.js'
import { invalid, oneOf } from './fieldErrors.js'
import type { FieldError } from './fieldErrors.js'
import { dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './formats.js'
import { validateMetadata } from './metadata.js'

const addressTypes = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS']

/** Checks a Node (ValidateNode, and its addresses, which vethlab gives to links). */
export function validateNode(node: Node): FieldError[] {
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

/** Checks a Namespace. */
export function validateNamespace(namespace: Namespace): FieldError[] {
  return validateMetadata(namespace.metadata, dnsLabel)
}
