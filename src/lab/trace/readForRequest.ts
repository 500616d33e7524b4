import { kernelSnapshot, readPlaces } from '../../host/readings.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { question, type Question } from '../../diagnose/question.js'
import { plannedState } from '../../snapshot/fromPlan/plannedState.js'
import { partlyRead } from '../../snapshot/fromPlan/partlyRead.js'
import type { PacketHeader } from '../../netfilter/trace/header.js'
import type { SeenExchange } from '../../trace/observed/connection.js'
import type { LabModel } from '../../snapshot/model/snapshot.js'
import { fabricPlace, type TraceState } from '../../snapshot/model/state.js'
import type { ReadPlace } from '../../snapshot/readings/readPlace.js'
import type { Path, Prediction } from '../../trace/model/steps.js'
import { predict } from '../../trace/predict.js'
import type { Coverage } from './observed.js'

/** A request in a large lab of which the namespaces on its paths were read. */
export interface RequestReading {
  readonly question: Question
  /** The namespaces that were read, `fabric` included. */
  readonly read: ReadonlySet<string>
  /** What was read, to read more of it. */
  readonly places: readonly ReadPlace[]
}

/** How a lab is read. */
export interface ReadOptions {
  /** Changes the state after it was read. */
  readonly change: (state: TraceState) => TraceState
  /** Called before namespaces are read, with the number of all that will then have been read. */
  readonly onRead: (places: number) => void
}

/** A lab with more namespaces is large: to read one takes 30 ms of processor time. */
const mostWhole = 32
/** Nodes and clients of a lab that has more are read if they are on a path; each can decide what its neighbours send. */
const mostHosts = 12
/** Pods on other paths than the first one are read if they are not more: a Service of many pods has a path to each. */
const mostPods = 8
/** Paths that are followed to find what to read. */
const mostFollowed = 16

/** Whether a lab has so many namespaces that a request reads only those on its paths. */
export function isLarge({ topology: { nodes, clients, pods } }: LabModel): boolean {
  return nodes.length + clients.length + pods.length > mostWhole
}

/**
 * Reads of a large lab the namespaces on the possible paths of a request, until these are predicted from what was read: nodes and
 * clients, the pods of the first path, and those of the others if they are few. What was not read is as planned. Throws what reading
 * throws.
 */
export async function readForRequest(
  sandbox: Pick<Sandbox, 'run'>,
  { snapshot: { model }, written, from }: Question,
  { change, onRead }: ReadOptions,
): Promise<RequestReading> {
  const { nodes, clients, pods } = model.topology
  const planned = plannedState(model)
  const hosts = [...nodes, ...clients].map(({ netns }) => netns)
  const isPod = new Set(pods.map(({ netns }) => netns))
  let places: readonly ReadPlace[] = []
  let wanted = [...new Set([fabricPlace, from, ...(hosts.length <= mostHosts ? hosts : [])])]
  for (;;) {
    onRead(places.length + wanted.length)
    places = [...places, ...(await readPlaces(sandbox, wanted.map(netnsOf)))]
    const now = question(kernelSnapshot(model, change(partlyRead(planned, places))), written)
    const read = namesOf(places)
    wanted = onPaths(predict(now.snapshot.state, now.from, now.packet, { most: mostFollowed }), isPod).filter(
      (name) => !read.has(name),
    )
    if (wanted.length === 0) return { question: now, read, places }
  }
}

/** What of a large lab was read and traced, for a path; absent `traced` for a prediction. */
export function coverageOf(
  { topology: { nodes, clients, pods } }: LabModel,
  path: Path | undefined,
  read: ReadonlySet<string>,
  traced?: ReadonlySet<string>,
): Coverage {
  const onPath = path === undefined ? [] : [...placesOfPath(path)]
  return {
    read: read.size,
    of: nodes.length + clients.length + pods.length + 1,
    unread: onPath.filter((place) => !read.has(place)),
    untraced: traced === undefined ? [] : onPath.filter((place) => !traced.has(place)),
  }
}

/**
 * The same reading with the namespaces whose addresses a packet has had, and the names of all: connections that they have now are
 * later than the request.
 */
export async function readMore(
  sandbox: Pick<Sandbox, 'run'>,
  { question: { snapshot }, read, places }: RequestReading,
  { hops }: Pick<SeenExchange, 'hops'>,
  change: (state: TraceState) => TraceState,
): Promise<{ readonly state: TraceState; readonly read: ReadonlySet<string> }> {
  const { nodes, clients, pods } = snapshot.model.topology
  const met = new Set(
    [...hops.values()].flat().flatMap(({ before, after }) => [before, after].flatMap(addressesOf)),
  )
  const more = [...nodes, ...clients, ...pods]
    .filter(({ netns, addresses }) => !read.has(netns) && addresses.some(({ address }) => met.has(address)))
    .map(({ netns }) => netns)
  if (more.length === 0) return { state: snapshot.state, read }
  const added = (await readPlaces(sandbox, more)).map((one) => ({ ...one, connections: [] }))
  const all = [...places, ...added]
  return { state: change(partlyRead(plannedState(snapshot.model), all)), read: namesOf(all) }
}

function addressesOf({ source, destination }: PacketHeader): string[] {
  return [source.address, destination.address]
}

/** Every namespace on a path, and on the paths of the connections that proxies open for it. */
export function placesOfPath({ hops, choices, end, relayed }: Path): ReadonlySet<string> {
  return new Set([
    ...hops.map(({ place }) => place),
    ...choices.map(({ place }) => place),
    end.place,
    ...(relayed === undefined ? [] : [relayed.place]),
    ...(relayed?.path === undefined ? [] : placesOfPath(relayed.path)),
  ])
}

/** The namespaces of paths: of pods, those of the first path, and the others if they are few. */
function onPaths({ paths }: Prediction, isPod: ReadonlySet<string>): string[] {
  const [first = [], ...others] = paths.map((path) => [...placesOfPath(path)])
  const all = [...new Set([...first, ...others.flat()])]
  const areFew = all.filter((name) => isPod.has(name)).length <= mostPods
  return all.filter((name) => areFew || !isPod.has(name) || first.includes(name))
}

function namesOf(places: readonly ReadPlace[]): ReadonlySet<string> {
  return new Set(places.map(({ netns }) => netns ?? fabricPlace))
}

function netnsOf(name: string): string | undefined {
  return name === fabricPlace ? undefined : name
}
