import { namespacedName } from '../../cluster/namespacedName.js'
import { podAddresses } from '../../cluster/pods/podFacts.js'
import { matchesLabels } from '../../cluster/selectors.js'
import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { Endpoint } from '../../cluster/types.js'
import { familyOf } from '../../net/ipFamily.js'
import { isAddress, splitPort } from '../../net/socketText.js'
import {
  onlyPort,
  sameTuple,
  tracedSocketText,
  tupleText,
  type TracedPacket,
} from '../../snapshot/model/packet.js'
import { tracedServerName } from '../../snapshot/model/balancing.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { lastReceiver } from '../../trace/model/lastReceiver.js'
import type { Hop, Path } from '../../trace/model/steps.js'
import { fieldName } from '../../agents/meaning.js'
import type { Question } from '../question.js'
import { portNamed, serviceField, type TargetPort } from './asked.js'
import { hintRemarks, type CalledPort } from './hintRemarks.js'
import type { Remark, Why } from './types.js'

/** What is surprising about a request that passes: each remark once. */
export function remarks(asked: Question, answered: readonly Path[]): Remark[] {
  const all = answered.flatMap((path) => {
    const own = connectionsOf(asked.packet, path)
    return [
      ...own.flatMap((one) => [...entryRemarks(asked, one), ...serviceRemarks(asked, one)]),
      ...sourceRemarks(asked, own),
    ]
  })
  return [
    ...new Map(all.map((remark) => [remark.says, remark])).values(),
    ...unseenLookup(asked),
    ...unseenOf(asked.packet, answered),
  ]
}

/** What is not looked at in connections that are answered. */
export function unseenOf(packet: TracedPacket, answered: readonly Path[]): Remark[] {
  return [...unseenTrust(packet, answered), ...unseenAnswers(packet, answered)]
}

/** What an answer does not include. */
export function limitsOf({ remarks: all }: Pick<Why, 'remarks'>): string[] {
  return all.flatMap(({ isLimit, says }) => (isLimit === true ? [says] : []))
}

/** A name in a URL: that the caller can look it up is taken for granted. */
export function unseenLookup({ written: { to } }: Question): Remark[] {
  const [, host = to] = /^https?:\/\/([^/?#]*)/i.exec(to) ?? []
  const name = (splitPort(host)?.host ?? host).replace(/^\[|\]$/g, '')
  if (name.includes('{') || isAddress(name)) return []
  return [{ says: `not looked at: whether the caller can look up ${name} in DNS`, isLimit: true }]
}

/** Proxies with certificates: which ones a caller trusts is not known here. */
function unseenTrust({ head }: TracedPacket, answered: readonly Path[]): Remark[] {
  const hasCertificate = answered.some((path) => !isOpen(path))
  if (head?.secure !== true || head.verifies !== undefined || !hasCertificate) return []
  return [{ says: 'not looked at: whether the caller trusts the certificate', isLimit: true }]
}

/** What programs answer that are none of vethlab: only their packets are predicted. */
function unseenAnswers(packet: TracedPacket, answered: readonly Path[]): Remark[] {
  const open = answered.filter(isOpen)
  const names = new Set(open.flatMap((path) => lastReceiver(path)?.name ?? []))
  const [only] = names
  if (only === undefined || packet.protocol === 'icmp') return []
  const isSecure = open.some((path) => connectionsOf(packet, path).at(-1)?.packet.head?.secure === true)
  const what = `the answer of ${names.size === 1 ? only : 'the receivers'}`
  return [{ says: `not looked at: ${isSecure ? `TLS, and ${what}` : what}`, isLimit: true }]
}

/** Whether the answer is that of a program of which nothing is known. */
function isOpen(path: Path): boolean {
  return path.end.http === undefined && lastReceiver(path)?.known !== true
}

/** A connection on its path. */
interface Connection {
  readonly packet: TracedPacket
  readonly path: Path
  /** The proxy that opens it, if one does. */
  readonly by?: string | undefined
}

/** The connection of the caller, and those that proxies open for it. */
function connectionsOf(packet: TracedPacket, path: Path, by?: string): Connection[] {
  const { relayed } = path
  const more =
    relayed?.packet === undefined || relayed.path === undefined
      ? []
      : connectionsOf(relayed.packet, relayed.path, relayed.by)
  return [{ packet, path, by }, ...more]
}

function requestHops({ hops }: Path): Hop[] {
  return hops.filter(({ packet }) => packet === 'request')
}

/** Entries of conntrack that the request continues; of TCP, those that it would continue while their connection is open. */
function entryRemarks({ snapshot }: Question, { packet, path }: Connection): Remark[] {
  return requestHops(path).flatMap(({ place, before, steps }): Remark[] => {
    const entry = steps.flatMap((step) => (step.kind === 'conntrack' ? (step.entry ?? []) : []))[0]
    if (entry !== undefined) {
      const { original, reply } = entry
      const says = `conntrack of ${place} has an entry from earlier packets, ${tupleText(original)} with replies from ${tracedSocketText(reply.source)}: the datagram continues it, and no rule of nat is evaluated${goneText(snapshot, original.destination.address, reply.source.address)}`
      return [{ code: 'stale-conntrack-entry', says }]
    }
    const known = snapshot.state.connections?.find(
      (one) =>
        one.place === place &&
        one.protocol === 'tcp' &&
        packet.protocol === 'tcp' &&
        one.closed !== true &&
        onlyPort(before.source.port) !== undefined &&
        sameTuple(one.original, before),
    )
    if (known === undefined) return []
    const { original, reply } = known
    const says = `conntrack of ${place} has an entry of an earlier connection from the same port, ${tupleText(original)} with replies from ${tracedSocketText(reply.source)}${goneText(snapshot, original.destination.address, reply.source.address)}: while that connection is open, a new one continues the entry and meets no rule of nat, and whether it is answered then is not predicted`
    return [{ code: 'stale-conntrack-entry', says }]
  })
}

/** Whether a receiver that an entry has is no endpoint any more. */
function goneText({ model: { cluster } }: Snapshot, called: string, receiver: string): string {
  if (called === receiver) return ''
  const endpoints = cluster.endpointSlices.flatMap((slice) => slice.endpoints)
  const own = endpoints.filter(({ addresses }) => addresses.includes(receiver))
  if (own.length === 0) return `, although no EndpointSlice has ${receiver}`
  return own.every(({ conditions }) => conditions?.ready === false)
    ? `, although the endpoint ${receiver} is not ready`
    : ''
}

/** What the Service says that the connection is for. */
function serviceRemarks(asked: Question, connection: Connection): Remark[] {
  const hop = requestHops(connection.path).find(({ steps }) =>
    steps.some((step) => (step.kind === 'nat' || step.kind === 'balance') && step.side === 'destination'),
  )
  const target = hop === undefined ? undefined : portAt(asked, hop)
  if (hop === undefined || target === undefined) return []
  const { family, destination } = connection.packet
  const called = { target, family, address: destination.address, place: hop.place }
  return [
    ...hintRemarks(asked.snapshot, called),
    ...affinityRemarks(asked.snapshot, called, hop),
    ...otherAddressRemarks(asked.snapshot, called),
    ...sliceRemarks(asked.snapshot, called),
  ]
}

/** The Service port whose rules or virtual server a packet met on a host. */
function portAt(asked: Question, { steps }: Hop): TargetPort | undefined {
  const objects = steps.flatMap((step) =>
    (step.kind === 'rule' && step.holds === 'yes') || step.kind === 'balance' ? (step.object ?? []) : [],
  )
  const last = objects.findLast(({ kind }) => kind === 'Service')
  return last === undefined ? undefined : portNamed(asked, fieldName(last))
}

/** Session affinity, if what the host has does it. */
function affinityRemarks(
  { state }: Snapshot,
  { target }: CalledPort,
  { place, before, steps }: Hop,
): Remark[] {
  const { service } = target
  const { sessionAffinity, sessionAffinityConfig } = service.spec
  if (sessionAffinity !== 'ClientIP') return []
  const isDone = steps.some((step) =>
    step.kind === 'rule'
      ? /--name KUBE-SEP-|@affinity-/.test(step.spec)
      : step.kind === 'balance' &&
        state.servers
          ?.get(place)
          ?.some((server) => tracedServerName(server) === step.server && server.persistence > 0),
  )
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10800
  const says = `sessionAffinity of Service ${namespacedName(service)} is ClientIP: ${place} sends the next connections from ${before.source.address} to the same endpoint, if each begins within ${seconds} s of the one before`
  return isDone ? [{ says, object: serviceField(service, 'spec.sessionAffinity') }] : []
}

/** The cluster IP of the other family. */
function otherAddressRemarks({ model: { cluster } }: Snapshot, { target, address }: CalledPort): Remark[] {
  const { service } = target
  const { clusterIPs = [] } = service.spec
  const other = clusterIPs.find((one) => one !== address)
  if (!clusterIPs.includes(address) || other === undefined) return []
  const family = familyOf(other)
  const ready = slicesOf(cluster, service.metadata)
    .filter(({ addressType }) => addressType === family)
    .some(({ endpoints }) => endpoints.some(({ conditions }) => conditions?.ready !== false))
  const without = ready ? '' : `; no ready endpoint has an address of ${family}`
  const says = `Service ${namespacedName(service)} also has ${other}, which this request does not use${without}`
  return [{ says, object: serviceField(service, 'spec.clusterIPs') }]
}

/** Ready endpoints of a Service with a selector that no pod of the selector has. */
function sliceRemarks({ basis, model: { cluster } }: Snapshot, { target, family }: CalledPort): Remark[] {
  const { service } = target
  const { metadata, spec } = service
  const { selector = {} } = spec
  // the pods of a cluster that was attached may not be attached
  if (Object.keys(selector).length === 0 || (basis === 'attached' && cluster.pods.length === 0)) return []
  const pods = cluster.pods.filter(
    (pod) => (pod.metadata.namespace ?? 'default') === (metadata.namespace ?? 'default'),
  )
  const podOf = ({ targetRef, addresses }: Endpoint) =>
    pods.find((pod) =>
      targetRef?.kind === 'Pod'
        ? pod.metadata.name === targetRef.name
        : podAddresses(pod).some((address) => addresses.includes(address)),
    )
  return slicesOf(cluster, metadata)
    .filter(({ addressType }) => addressType === family)
    .flatMap((slice) =>
      slice.endpoints
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap((endpoint): Remark[] => {
          const pod = podOf(endpoint)
          if (pod !== undefined && matchesLabels(selector, pod.metadata.labels)) return []
          const { namespace = 'default', name } = slice.metadata
          const object = { kind: 'EndpointSlice', namespace, name }
          const start = `EndpointSlice ${namespace}/${name} has ${endpoint.addresses.join(', ')}`
          if (pod !== undefined)
            return [
              {
                says: `${start} of pod ${namespacedName(pod)}, which the selector of Service ${namespacedName(service)} does not match`,
                object,
              },
            ]
          const { targetRef } = endpoint
          const of = targetRef?.kind === 'Pod' ? ` of pod ${namespace}/${targetRef.name}` : ''
          const which =
            basis === 'attached' ? 'which is not among the pods that were read' : 'and there is no such pod'
          return [{ code: 'endpoint-absent', says: `${start}${of}, ${which}`, object }]
        }),
    )
}

/** The source that the receiver sees, if it is not the caller's. */
function sourceRemarks({ snapshot, packet }: Question, connections: readonly Connection[]): Remark[] {
  const last = connections.at(-1)
  const hops = last === undefined ? [] : requestHops(last.path)
  const seen = hops.at(-1)?.after.source.address
  if (last?.path.receiver === undefined || seen === undefined || seen === packet.source.address) return []
  const { names } = snapshot.model
  const label = names.at(seen)?.label
  const rewriter = hops.find(({ steps }) =>
    steps.some((step) => step.kind === 'nat' && step.side === 'source'),
  )?.place
  const why =
    rewriter !== undefined
      ? `${rewriter} rewrites it`
      : last.by === undefined
        ? undefined
        : `${last.by} opens its own connection`
  const says = `the receiver sees the source ${seen}${label === undefined ? '' : ` (${label})`}, not ${packet.source.address} of the caller`
  return [{ says: why === undefined ? says : `${says}: ${why}` }]
}
