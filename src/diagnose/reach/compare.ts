import type { Service } from '../../cluster/types.js'
import { namespacedName } from '../../cluster/namespacedName.js'
import { slicesOf } from '../../cluster/serviceEndpoints.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { onlyPort, tracedSocketText } from '../../snapshot/model/packet.js'
import { endsText, type Cell } from './cell.js'
import { constantsOf, type Constants } from './cuts.js'
import { knownDifference, unaskedDifferences, versionFeatures, type KnownDifference } from './known.js'
import { askedOf, type AskedPacket } from './matrix.js'
import type { TargetKind } from './targets.js'
import { Sample } from './sample.js'
import { NodeGroups } from './nodeGroups.js'
import { lackingHosts, snapshotWithHosts } from './outsideHosts.js'
import { Sources } from './sources.js'
import { reachRequests, requestKey, type ReachRequest, type ReachScope } from './requests.js'

/** What is different about a cell. */
export type Aspect = 'end' | 'receivers' | 'shares' | 'client address' | 'error' | 'affinity' | 'exists'

/** A cell that ends differently in two snapshots. */
export interface ReachDifference {
  readonly request: ReachRequest
  readonly aspects: readonly Aspect[]
  /** Undefined where only the other snapshot has the address or the sender. */
  readonly before?: Cell | undefined
  readonly after?: Cell | undefined
  readonly known?: KnownDifference | undefined
}

/** Differences that have the same explanation. */
export interface DifferenceGroup {
  /** `from outside to node ports of policy Local: 3 Services differ` */
  readonly says: string
  readonly aspects: readonly Aspect[]
  readonly before: string
  readonly after: string
  readonly known?: KnownDifference | undefined
  readonly services: readonly string[]
  readonly cells: number
  readonly counterexample: Counterexample
  /** The cell of the counterexample. */
  readonly first: ReachDifference
}

/** One packet that shows a difference, and what decides about it on both sides. */
export interface Counterexample {
  readonly source: string
  /** How `trace` names the sender; undefined for an address that no host has. */
  readonly place?: string | undefined
  /** The node by whose interface it arrives, for an address that no host has. */
  readonly arrives?: string | undefined
  readonly protocol: string
  /** `10.244.1.2:32768` */
  readonly from: string
  readonly to: string
  readonly before?: Cell | undefined
  readonly after?: Cell | undefined
}

/** What a comparison of two snapshots found. */
export interface ReachComparison {
  /** Whether both are the same cluster with other kube-proxies, of which differences are documented. */
  readonly sameCluster: boolean
  readonly groups: readonly DifferenceGroup[]
  readonly differences: readonly ReachDifference[]
  /** Both snapshots, with the hosts outside that were added to labs. */
  readonly sides: readonly [before: Snapshot, after: Snapshot]
  /** Some of the requests that end alike on both sides, as many as were asked for, chosen without order. */
  readonly sample: readonly EqualRequest[]
  readonly classes: number
  /** Cells that were decided on both sides; a cell is a class of senders and one address and port. */
  readonly decided: number
  /** Cells that are not decided, by the reason. */
  readonly unknown: ReadonlyMap<string, number>
  /** What the versions do differently. */
  readonly features: readonly KnownDifference[]
  readonly notices: readonly string[]
}

/** How two snapshots are compared. */
export interface ComparisonScope extends ReachScope {
  readonly sameCluster: boolean
}

/** A request that ends alike in two snapshots. */
export type EqualRequest = Required<Pick<ReachDifference, 'request' | 'before' | 'after'>>

/** Compares every request in two snapshots. With `sameCluster`, receivers are compared by name; otherwise by the objects behind them. */
export function compareReach(was: Snapshot, is: Snapshot, scope: ComparisonScope): ReachComparison {
  const constants = constantsOf([was.state, is.state])
  const hosts = lackingHosts(was, new Sources(was, constants))
  const [before, after] = [snapshotWithHosts(was, hosts), snapshotWithHosts(is, hosts)]
  const [one, other] = [askedOf(before), askedOf(after)]
  const differences: ReachDifference[] = []
  const sample = new Sample<EqualRequest>(scope.sample)
  const unknown = new Map<string, number>()
  const classes = new Set<string>()
  const services = new Map(
    [...before.model.cluster.services, ...after.model.cluster.services].map((own) => [
      namespacedName(own),
      own,
    ]),
  )
  const proxies = [before.model.kubeProxy, after.model.kubeProxy] as const
  const terminates = (service: Service) =>
    slicesOf(before.model.cluster, service.metadata).some(({ endpoints }) =>
      endpoints.some(({ conditions }) => conditions?.terminating === true),
    )
  let decided = 0
  const compared = function* () {
    for (const [request, own, twin] of paired(before, after, constants, scope)) {
      classes.add(request.source.key)
      yield { request, was: own && one.answerTo(own).cell, is: twin && other.answerTo(twin).cell }
    }
  }
  for (const { request, was, is } of compared()) {
    const why = undecided(was, is)
    if (why !== undefined) {
      unknown.set(why, (unknown.get(why) ?? 0) + 1)
      continue
    }
    decided++
    const aspects =
      was === undefined || is === undefined ? (['exists'] as const) : aspectsOf(was, is, scope.sameCluster)
    if (aspects.length === 0) {
      sample.add(requestKey(request), { request, before: was, after: is })
      continue
    }
    const service = services.get(request.target.service ?? '')
    const known =
      was && is && scope.sameCluster
        ? knownDifference(request, [was, is], proxies, {
            service,
            terminates: service !== undefined && terminates(service),
          })
        : undefined
    differences.push({ request, aspects, before: was, after: is, known })
  }
  return {
    groups: grouped(differences, services, (request) => packetFor(request, [one, other])),
    sides: [before, after],
    ...{
      sameCluster: scope.sameCluster,
      differences,
      sample: sample.items,
      classes: classes.size,
      decided,
      unknown,
    },
    features: scope.sameCluster
      ? [...versionFeatures(...proxies), ...unaskedDifferences(before.state, after.state)]
      : [],
    notices: [...new Set([...before.notices, ...after.notices])],
  }
}

/** Each request with the same one of the other snapshot. */
function* paired(
  before: Snapshot,
  after: Snapshot,
  constants: Constants,
  scope: ComparisonScope,
): Generator<readonly [ReachRequest, ReachRequest | undefined, ReachRequest | undefined]> {
  if (scope.sameCluster) {
    const groups = new NodeGroups([before.state, after.state], before.model.topology, constants)
    for (const request of reachRequests(before, constants, { ...scope, groups }))
      yield [request, request, request]
    return
  }
  const others = new Map(
    [...reachRequests(after, constants, scope)].map((request) => [requestKey(request), request]),
  )
  for (const request of reachRequests(before, constants, scope)) {
    const key = requestKey(request)
    yield [request, request, others.get(key)]
    others.delete(key)
  }
  for (const request of others.values()) yield [request, undefined, request]
}

function undecided(...cells: readonly (Cell | undefined)[]): string | undefined {
  return cells.find((cell) => cell?.unknown !== undefined)?.unknown
}

/** What differs: shares by more than a thousandth. */
export function aspectsOf(before: Cell, after: Cell, sameCluster = true): Aspect[] {
  const nameOf = (who: string) =>
    sameCluster ? who : who.replace(/(-[a-f0-9]{6,10})?-([a-z0-9]{5}|\d+)$/, '')
  const shares = ({ ends }: Cell) => {
    const found = new Map<string, number>()
    for (const { kind, who, share } of ends) {
      const key = kind === 'received' ? nameOf(who) : kind
      found.set(key, (found.get(key) ?? 0) + share)
    }
    return found
  }
  const [was, is] = [shares(before), shares(after)]
  const received = ({ ends }: Cell) => ends.some(({ kind }) => kind === 'received')
  if (received(before) !== received(after)) return ['end']
  const sameKeys = [...was.keys()].sort().join() === [...is.keys()].sort().join()
  if (!received(before)) return sameKeys ? [] : ['error']
  if (!sameKeys) return ['receivers']
  const clients = ({ ends }: Cell) =>
    [...new Set(ends.map(({ who, client }) => `${nameOf(who)} ${client}`))].sort().join()
  return [
    ...([...was].some(([key, share]) => Math.abs(share - (is.get(key) ?? 0)) > 0.001)
      ? (['shares'] as const)
      : []),
    ...(sameCluster && clients(before) !== clients(after) ? (['client address'] as const) : []),
    ...(before.affinity === after.affinity ? [] : (['affinity'] as const)),
  ]
}

type PacketOf = (request: ReachRequest) => AskedPacket | undefined

function packetFor(
  request: ReachRequest,
  sides: readonly { readonly packetOf: (request: ReachRequest) => AskedPacket }[],
) {
  for (const { packetOf } of sides)
    try {
      return packetOf(request)
    } catch {
      continue
    }
  return undefined
}

const plural: Readonly<Record<ReachRequest['source']['kind'], string>> = {
  pod: 'pods',
  endpoint: 'endpoints of the Service',
  node: 'nodes',
  outside: 'outside',
}

/** Differences by kind of sender, kind of address, policy, and what happens. */
function grouped(
  differences: readonly ReachDifference[],
  services: ReadonlyMap<string, Service>,
  packetOf: PacketOf,
): DifferenceGroup[] {
  const groups = new Map<string, { readonly where: string; readonly own: ReachDifference[] }>()
  for (const difference of differences) {
    const { request, aspects, before, after, known } = difference
    const { target } = request
    const where = targetWords(request, services.get(target.service ?? ''))
    const kinds = (cell: Cell | undefined) => [...new Set(cell?.ends.map(({ kind }) => kind))].sort().join()
    const key = [where, aspects.join(), kinds(before), kinds(after), known?.code].join(' ; ')
    const found = groups.get(key)
    if (found === undefined) groups.set(key, { where, own: [difference] })
    else found.own.push(difference)
  }
  return [...groups.values()]
    .flatMap(({ where, own }): DifferenceGroup[] => {
      const [first] = own
      if (first === undefined) return []
      const names = [...new Set(own.flatMap(({ request }) => request.target.service ?? []))]
      const count =
        names.length === 0
          ? ''
          : `: ${names.length} ${names.length === 1 ? 'Service differs' : 'Services differ'}`
      const { request, aspects, before, after, known } = first
      const senders = [...new Set(own.map(({ request: { source } }) => plural[source.kind]))]
      return [
        {
          ...{
            says: `from ${senders.join(', ')} to ${where}${count}`,
            aspects,
            known,
            services: names,
            cells: own.length,
          },
          before: before === undefined ? 'does not exist' : shownEnds(before, aspects),
          after: after === undefined ? 'does not exist' : shownEnds(after, aspects),
          counterexample: { ...counterexample(request, packetOf(request)), before, after },
          first,
        },
      ]
    })
    .sort((a, b) => Number(a.known !== undefined) - Number(b.known !== undefined) || b.cells - a.cells)
}

function shownEnds(cell: Cell, aspects: readonly Aspect[]): string {
  const affinity = aspects.includes('affinity')
    ? cell.affinity
      ? ', and the next connections too'
      : ', and any of them next'
    : ''
  return `${endsText(cell)}${affinity}`
}

function targetWords({ target }: ReachRequest, service: Service | undefined): string {
  const words = {
    'cluster IP': 'cluster IPs',
    'node port': 'node ports',
    'node port on loopback': 'node ports on loopback',
    'node port on another address': 'node ports on other addresses of nodes',
    'external IP': 'external IPs',
    'load balancer': 'addresses of load balancers',
    'health check': 'health check node ports',
    'other port of cluster IP': 'ports of cluster IPs that no Service has',
    'ping of cluster IP': 'cluster IPs (ping)',
    'unallocated cluster IP': 'cluster IPs that no Service has',
    'host port': 'host ports',
    pod: 'pods (ping)',
  } as const
  const policies: Partial<Record<TargetKind, string | undefined>> = {
    'cluster IP': service?.spec.internalTrafficPolicy,
    'node port': service?.spec.externalTrafficPolicy,
    'node port on another address': service?.spec.externalTrafficPolicy,
    'external IP': service?.spec.externalTrafficPolicy,
    'load balancer': service?.spec.externalTrafficPolicy,
  }
  const policy = policies[target.kind]
  const protocol = target.protocol === 'udp' ? ' over UDP' : ''
  return `${words[target.kind]}${protocol}${policy === 'Local' ? ' of policy Local' : ''}`
}

function counterexample(
  { source, target, by }: ReachRequest,
  asked: AskedPacket | undefined,
): Omit<Counterexample, 'before' | 'after'> {
  const { address, number, protocol } = target
  const to =
    number === undefined ? address : tracedSocketText({ address, port: { first: number, last: number } })
  const sender = asked?.packet.source
  const port = sender?.port && (onlyPort(sender.port) ?? sender.port.first)
  const from =
    sender === undefined
      ? (source.address ?? '')
      : tracedSocketText({
          address: sender.address,
          port: port === undefined ? undefined : { first: port, last: port },
        })
  return {
    source: source.label,
    place: by === undefined ? source.place : undefined,
    arrives: by?.name,
    protocol,
    from,
    to,
  }
}
