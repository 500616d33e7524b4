import { namespacedName } from '../../cluster/namespacedName.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import { tracedSocketText } from '../../snapshot/model/packet.js'
import { outcomeOf } from '../check/outcome.js'
import { endsText, type Cell } from './cell.js'
import { constantsOf } from './cuts.js'
import { askedOf } from './matrix.js'
import { NodeGroups } from './nodeGroups.js'
import { lackingHosts, snapshotWithHosts } from './outsideHosts.js'
import { Sources } from './sources.js'
import { promises } from './promises.js'
import {
  reachRequests,
  requestKey,
  type PredictedRequest,
  type ReachRequest,
  type ReachScope,
} from './requests.js'
import { Sample } from './sample.js'

/** The senders that reach the same at one kind of address. */
export interface ReachEntry {
  readonly ends: string
  /** `pods of node-a`; with the node that is called, where that matters. */
  readonly sources: readonly string[]
  readonly cell: Cell
}

/** One address and port of a Service, on every node that has it: who reaches what. */
export interface ReachRow {
  /** `namespace/name`; undefined for what belongs to no Service. */
  readonly service?: string | undefined
  readonly kind: string
  /** `10.96.0.10:80/tcp`; `*:30080/tcp` on several nodes. */
  readonly address: string
  readonly entries: readonly ReachEntry[]
}

/** A request that the objects promise, and that fails or reaches something else. */
export interface BrokenPromise {
  readonly service: string
  readonly says: string
  readonly cells: number
  /** The first of them. */
  readonly request: ReachRequest
  readonly cell: Cell
}

/** Who reaches what in a snapshot. */
export interface ReachResult {
  readonly rows: readonly ReachRow[]
  readonly broken: readonly BrokenPromise[]
  /** The snapshot, with the hosts outside that were added to a lab. */
  readonly side: Snapshot
  /** Some of the decided requests, as many as were asked for, chosen without order. */
  readonly sample: readonly PredictedRequest[]
  readonly classes: number
  readonly decided: number
  /** Cells that are not decided, by the reason. */
  readonly unknown: ReadonlyMap<string, number>
  readonly notices: readonly string[]
}

/** Predicts every request to every address of Services, and compares the ends with what the objects promise. */
export function reach(given: Snapshot, scope: ReachScope = {}): ReachResult {
  const constants = constantsOf([given.state])
  const snapshot = snapshotWithHosts(given, lackingHosts(given, new Sources(given, constants)))
  const asked = askedOf(snapshot)
  const isPromised = promises(snapshot.model.cluster)
  const services = new Map(snapshot.model.cluster.services.map((one) => [namespacedName(one), one]))
  const rows = new Map<
    string,
    { row: Omit<ReachRow, 'entries'>; entries: Map<string, { cell: Cell; sources: string[] }> }
  >()
  const broken = new Map<string, BrokenPromise>()
  const sample = new Sample<PredictedRequest>(scope.sample)
  const unknown = new Map<string, number>()
  const classes = new Set<string>()
  let decided = 0
  const groups = new NodeGroups([given.state], snapshot.model.topology, constants)
  for (const request of reachRequests(snapshot, constants, { ...scope, groups })) {
    const { source, target } = request
    classes.add(source.key)
    const { cell, prediction } = asked.answerTo(request)
    const { row, label } = placed(request)
    const key = `${row.service} ${row.kind} ${row.address}`
    const own = rows.get(key) ?? { row, entries: new Map<string, { cell: Cell; sources: string[] }>() }
    rows.set(key, own)
    const ends = cell.unknown === undefined ? endsText(cell) : `not known: ${cell.unknown}`
    const entry = own.entries.get(ends)
    if (entry === undefined) own.entries.set(ends, { cell, sources: [label] })
    else entry.sources.push(label)
    if (cell.unknown !== undefined) {
      unknown.set(cell.unknown, (unknown.get(cell.unknown) ?? 0) + 1)
      continue
    }
    decided++
    sample.add(requestKey(request), { request, cell })
    const service = services.get(target.service ?? '')
    if (service === undefined || prediction === undefined || !isPromised(request, service)) continue
    const { kind } = outcomeOf(snapshot, target, prediction)
    if (kind !== 'fails' && kind !== 'misled') continue
    const name = namespacedName(service)
    const same = `${name} ${target.kind} ${ends}`
    const known = broken.get(same)
    const says = `${label} → ${row.kind} ${row.address} of Service ${name}: ${ends}`
    broken.set(
      same,
      known === undefined
        ? { service: name, says, cells: 1, request, cell }
        : { ...known, cells: known.cells + 1 },
    )
  }
  return {
    rows: [...rows.values()].map(({ row, entries }) => ({
      ...row,
      entries: [...entries].map(([ends, { cell, sources }]) => ({ ends, sources, cell })),
    })),
    broken: [...broken.values()],
    ...{ sample: sample.items, side: snapshot },
    ...{ classes: classes.size, decided, unknown, notices: snapshot.notices },
  }
}

/** The row of a request, and its sender with the node that is called. */
function placed({ source, target, by }: ReachRequest): {
  readonly row: Omit<ReachRow, 'entries'>
  readonly label: string
} {
  const { service, kind, address, number, protocol, node } = target
  const shown = node === undefined || kind === 'node port on loopback' ? address : '*'
  const socket =
    number === undefined ? shown : tracedSocketText({ address: shown, port: { first: number, last: number } })
  const at = node ?? by?.name
  const label =
    at === undefined || kind === 'node port on loopback' ? source.label : `${source.label} at ${at}`
  return { row: { service, kind, address: kind === 'pod' ? `of ${node}` : `${socket}/${protocol}` }, label }
}
