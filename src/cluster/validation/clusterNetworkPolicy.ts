import { parseRange } from '../../net/ranges.js'
import { fieldPath } from '../schema/decode.js'
import type {
  ClusterNetworkPolicy,
  ClusterNetworkPolicyPeer,
  ClusterNetworkPolicyProtocol,
  ClusterNetworkPolicyRule,
  DestinationPort,
  PodsOfNamespaces,
} from '../types.js'
import {
  append,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from './fieldErrors.js'
import { dnsSubdomain } from './formats.js'
import { validateMetadata, validateSelector } from './metadata.js'

const most = 25

/** Validates a ClusterNetworkPolicy by the schema and rules of its CRD; peers by domain name, which are experimental, are rejected. */
export function validateClusterNetworkPolicy({ metadata, spec }: ClusterNetworkPolicy): FieldError[] {
  const { tier, priority, subject } = spec
  return [
    ...validateMetadata(metadata, dnsSubdomain),
    ...oneWord(['spec', 'tier'], tier, ['Admin', 'Baseline']),
    ...between(['spec', 'priority'], priority, 0, 1000),
    ...validatePods(['spec', 'subject'], subject),
    ...(['ingress', 'egress'] as const).flatMap((field) => {
      const rules = spec[field] ?? []
      const path = ['spec', field]
      return [
        ...(rules.length > most ? [tooMany(path, rules.length, most)] : []),
        ...rules.flatMap((rule, index) =>
          validateRule([...path, index], rule, field === 'ingress' ? 'from' : 'to'),
        ),
      ]
    }),
  ]
}

function validateRule(path: Path, rule: ClusterNetworkPolicyRule, side: 'from' | 'to'): FieldError[] {
  const { name = '', action, protocols } = rule
  const errors = oneWord([...path, 'action'], action, ['Accept', 'Deny', 'Pass'])
  if (Buffer.byteLength(name) > 100) errors.push(tooLong([...path, 'name'], 100))
  const peers = rule[side]
  if (peers === undefined) errors.push(required([...path, side]))
  else append(errors, someOf([...path, side], peers, validatePeer))
  if (protocols !== undefined) append(errors, someOf([...path, 'protocols'], protocols, validateProtocol))
  const hasNoPods = ({ networks, nodes, domainNames }: ClusterNetworkPolicyPeer) =>
    networks !== undefined || nodes !== undefined || domainNames !== undefined
  const isNamed = protocols?.some(({ destinationNamedPort }) => destinationNamedPort !== undefined)
  if (isNamed === true && peers?.some(hasNoPods) === true)
    errors.push(
      invalid(
        path,
        'object',
        'networks/nodes/domainNames peer cannot be set with namedPorts since there are no namedPorts for networks/nodes/domainNames',
      ),
    )
  return errors
}

function validatePeer(path: Path, peer: ClusterNetworkPolicyPeer): FieldError[] {
  const { nodes, networks, domainNames } = peer
  const errors = validatePods(path, peer)
  if (nodes !== undefined) append(errors, validateSelector([...path, 'nodes'], nodes))
  if (networks !== undefined)
    append(
      errors,
      someOf([...path, 'networks'], networks, (at, text) =>
        parseRange(text) === undefined ? [invalid(at, text, 'Invalid CIDR format provided')] : [],
      ),
    )
  if (domainNames !== undefined)
    errors.push(forbidden([...path, 'domainNames'], 'peers by domain name are not supported'))
  return errors
}

/** A subject or a peer: exactly one field, with selectors that are valid. */
function validatePods(path: Path, of: PodsOfNamespaces): FieldError[] {
  const { namespaces, pods } = of
  return [
    ...oneField(path, of),
    ...(namespaces === undefined ? [] : validateSelector([...path, 'namespaces'], namespaces)),
    ...(['namespaceSelector', 'podSelector'] as const).flatMap((field) => {
      if (pods === undefined) return []
      const at = [...path, 'pods', field]
      const selector = pods[field] as (typeof pods)[typeof field] | undefined
      return selector === undefined ? [required(at)] : validateSelector(at, selector)
    }),
  ]
}

function validateProtocol(path: Path, protocol: ClusterNetworkPolicyProtocol): FieldError[] {
  return [
    ...oneField(path, protocol),
    ...(['tcp', 'udp', 'sctp'] as const).flatMap((name) => {
      const of = protocol[name]
      return of === undefined ? [] : validatePort([...path, name], of)
    }),
  ]
}

function validatePort(path: Path, of: DestinationPort): FieldError[] {
  const { destinationPort } = of
  if (destinationPort === undefined) return atLeastOne(path, of)
  const at = [...path, 'destinationPort']
  const { number, range } = destinationPort
  const errors = oneField(at, destinationPort)
  if (number !== undefined) append(errors, between([...at, 'number'], number, 1, 65535))
  if (range === undefined) return errors
  const { start, end } = range
  append(errors, between([...at, 'range', 'start'], start, 1, 65535))
  append(errors, between([...at, 'range', 'end'], end, 1, 65535))
  if (start >= end) errors.push(invalid([...at, 'range'], 'object', 'Start port must be less than End port'))
  return errors
}

// The words of the API server for schemas of custom resources (k8s.io/kube-openapi, pkg/validation).

/** One of the words of an enum. */
function oneWord(path: Path, word: string, words: readonly string[]): FieldError[] {
  if (word === '') return [required(path)]
  return words.includes(word) ? [] : [notSupported(path, word, words)]
}

function between(path: Path, value: number | undefined, least: number, greatest: number): FieldError[] {
  if (value === undefined) return [required(path)]
  if (value < least)
    return [invalid(path, value, `${fieldPath(path)} in body should be greater than or equal to ${least}`)]
  if (value > greatest)
    return [invalid(path, value, `${fieldPath(path)} in body should be less than or equal to ${greatest}`)]
  return []
}

function oneField(path: Path, value: object): FieldError[] {
  const count = Object.keys(value).length
  return count > 1 ? [tooMany(path, count, 1)] : atLeastOne(path, value)
}

function atLeastOne(path: Path, value: object): FieldError[] {
  if (Object.keys(value).length > 0) return []
  return [invalid(path, 0, `${fieldPath(path)} in body should have at least 1 properties`)]
}

/** From one item to as many as a list may have, each of them valid. */
function someOf<Item>(
  path: Path,
  items: readonly Item[],
  validate: (path: Path, item: Item) => FieldError[],
): FieldError[] {
  if (items.length === 0) return [invalid(path, 0, `${fieldPath(path)} in body should have at least 1 items`)]
  return [
    ...(items.length > most ? [tooMany(path, items.length, most)] : []),
    ...items.flatMap((item, index) => validate([...path, index], item)),
  ]
}
