import { parseRange } from '../../net/ranges.js'
import type { IPAddress, ServiceCIDR } from '../types.js'
import { validateCanonicalAddress, validateCanonicalCIDR } from './addresses.js'
import { append, invalid, required, type FieldError, type Path } from './fieldErrors.js'
import { dnsSubdomain, pathSegment } from './formats.js'
import { internalForm } from './internalForm.js'
import { validateMetadata } from './metadata.js'
import { isSame } from './update.js'

const cidrsPath = ['spec', 'cidrs']
const immutable = 'field is immutable'

/** Validates a new ServiceCIDR (ValidateServiceCIDR). */
export function validateServiceCidr({ metadata, spec }: ServiceCIDR): FieldError[] {
  return [...validateMetadata(metadata, dnsSubdomain), ...validateRanges(spec.cidrs ?? [])]
}

function validateRanges(cidrs: readonly string[]): FieldError[] {
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')]
  if (cidrs.length > 2) return [invalid(cidrsPath, { CIDRs: cidrs }, 'may only hold up to 2 values')]
  const errors = cidrs.flatMap((cidr, index) => validateCanonicalCIDR([...cidrsPath, index], cidr))
  const [one, other] = cidrs.map((cidr) => parseRange(cidr)?.family)
  const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
  if (one !== undefined && one === other) errors.push(invalid(cidrsPath, cidrs, detail))
  return errors
}

/** A ServiceCIDR only gets a second range, of the other family (ValidateServiceCIDRUpdate). */
export function validateServiceCidrUpdate(before: ServiceCIDR, next: ServiceCIDR): FieldError[] {
  const [old, cidrs] = [before.spec.cidrs ?? [], next.spec.cidrs ?? []]
  const changed = (index: number): FieldError[] =>
    old[index] === cidrs[index] ? [] : [invalid([...cidrsPath, index], cidrs[index], immutable)]
  if (old.length === cidrs.length) return old.flatMap((_cidr, index) => changed(index))
  if (old.length === 1 && cidrs.length === 2) return [...changed(0), ...validateRanges(cidrs)]
  return [invalid(cidrsPath, cidrs, immutable)]
}

/** Validates an IPAddress: its name is an address, and it has a parent (ValidateIPAddress). */
export function validateIpAddress({ metadata, spec }: IPAddress): FieldError[] {
  const isAddress = (name: string) =>
    validateCanonicalAddress([], name).map(({ message }) =>
      message.replace(/^.*?Invalid value: "[^"]*": /, ''),
    )
  return [...validateMetadata(metadata, isAddress), ...validateParent(['spec', 'parentRef'], spec.parentRef)]
}

function validateParent(path: Path, parent: IPAddress['spec']['parentRef']): FieldError[] {
  if (parent === undefined) return [required(path)]
  const { group = '', resource = '', name = '', namespace = '' } = parent
  const errors =
    group === '' ? [] : dnsSubdomain(group).map((detail) => invalid([...path, 'group'], group, detail))
  for (const [field, value] of Object.entries({ resource, name }))
    append(errors, value === '' ? [required([...path, field])] : validateSegment([...path, field], value))
  return [...errors, ...validateSegment([...path, 'namespace'], namespace)]
}

function validateSegment(path: Path, value: string): FieldError[] {
  return value === '' ? [] : pathSegment(value).map((detail) => invalid(path, value, detail))
}

const parentForm = { Group: '', Resource: '', Namespace: '', Name: '' }

/** The parent of an address does not change. */
export function validateIpAddressUpdate({ spec: old }: IPAddress, { spec }: IPAddress): FieldError[] {
  const { parentRef } = spec
  if (isSame(old.parentRef, parentRef)) return []
  const value = parentRef === undefined ? null : internalForm(parentForm, parentRef)
  return [invalid(['spec', 'parentRef'], value, immutable)]
}
