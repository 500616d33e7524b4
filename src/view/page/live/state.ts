import { computed, signal } from '@preact/signals'
import type { LiveEvents, LiveLab, LivePacket, LiveRequest, RequestRun } from '../../live/api.js'
import type { FlowPath } from '../../report/document.js'
import { showExchange } from '../exchange.js'
import { base, call } from './call.js'

/** `lost`: the browser connects again by itself. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended'

/** An interface of a network namespace. */
export interface Link {
  readonly netns: string
  readonly interface: string
}

export const lab = signal<LiveLab | undefined>(undefined)
export const connection = signal<Connection>('connecting')
/** Why the lab has ended. */
export const ending = signal('')
/** Id of the pane that is shown. */
export const pane = signal('path')
/** Network namespace of the place that is shown; undefined for the first node. */
export const place = signal<string | undefined>(undefined)
/** The same, with the first node by default. */
export const chosenPlace = computed(() => {
  const places = lab.value?.places ?? {}
  if (place.value !== undefined && Object.hasOwn(places, place.value)) return place.value
  const [first] =
    Object.entries(places).find(([, { kind }]) => kind === 'node') ?? Object.entries(places)[0] ?? []
  return first
})
/** The link whose packets are shown; undefined for all. */
export const link = signal<Link | undefined>(undefined)
/** Counts the events that may have changed what the server reads from the kernel. */
export const changes = signal(0)
/** Requests of all browsers, oldest first. */
export const requests = signal<readonly RequestRun[]>([])
/** Id of the request that is shown. */
export const shownRequest = signal<number | undefined>(undefined)
/** Index of its path that is shown, of those that are possible. */
export const shownPath = signal(0)
/** Why its path cannot be shown; empty if it can. */
export const pathProblem = signal('')
/** The last packets, newest first, and how many there were. */
export const packets = signal<{ readonly last: readonly LivePacket[]; readonly seen: number }>({
  last: [],
  seen: 0,
})
/** The packets of the last animation frame, in order of time. */
export const arrived = signal<readonly LivePacket[]>([])

/** More requests and packets are not kept. */
const mostRequests = 100
const mostPackets = 400

/** Keys of the requests of this page that have not started yet: each is shown from when it starts. */
const asked: string[] = []

/** Sends or predicts a request, and shows it. Throws Error if the server rejects it. */
export async function sendRequest(request: LiveRequest): Promise<void> {
  const key = keyOf(request)
  asked.push(key)
  try {
    const run = await call<RequestRun>('/requests', request)
    keepRequest(run)
    await showRequest(run.id)
  } finally {
    forget(key)
  }
}

/** Shows the path of a request once it is known, or another one of those that are possible. */
export async function showRequest(id: number | undefined, index = 0): Promise<void> {
  shownRequest.value = id
  shownPath.value = index
  pathProblem.value = ''
  const result = requests.value.find((one) => one.id === id)?.result
  if (result === undefined || 'error' in result) return showExchange(undefined)
  const { flow, path } = result
  if (index === 0 && path !== undefined) return showExchange({ flow, path })
  const isShown = () => shownRequest.peek() === id && shownPath.peek() === index
  try {
    const read = await call<FlowPath>(`/requests/${id}/paths/${index}`)
    if (isShown()) showExchange({ flow, path: read })
  } catch (error) {
    if (!isShown()) return
    showExchange(undefined)
    pathProblem.value = (error as Error).message
  }
}

function keepRequest(run: RequestRun): void {
  const before = requests.value.find(({ id }) => id === run.id)
  // the event of a request that has ended may come before the answer to the call, which has its path
  if (hasPath(before) || (before?.result !== undefined && !hasPath(run))) return
  // what follows requests may show it
  const isShown = run.id === shownRequest.value && before?.result === undefined
  keep([...requests.value.filter(({ id }) => id !== run.id), run])
  if (isShown || (before === undefined && forget(keyOf(run.request)))) void showRequest(run.id)
}

function keep(all: readonly RequestRun[]): void {
  requests.value = all.toSorted((a, b) => a.id - b.id).slice(-mostRequests)
}

function hasPath(run: RequestRun | undefined): boolean {
  return run?.result !== undefined && 'path' in run.result
}

/** The same for two equal requests: the server has fields in an order of its own. */
function keyOf(request: LiveRequest): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether this page waits for the request. */
function forget(key: string): boolean {
  const at = asked.indexOf(key)
  if (at >= 0) asked.splice(at, 1)
  return at >= 0
}

/** Packets that came since the last animation frame. */
let waiting: LivePacket[] = []
let seen = 0

function keepPackets({ packets: some, left }: LiveEvents['packets']): void {
  if (waiting.length === 0 && some.length > 0) requestAnimationFrame(showPackets)
  seen += some.length + left
  waiting = [...waiting, ...some].slice(-mostPackets)
}

function showPackets(): void {
  const last = [...waiting.toReversed(), ...packets.value.last].slice(0, mostPackets)
  packets.value = { last, seen }
  arrived.value = waiting
  waiting = []
}

/** Follows the lab until it ends; a lost connection is opened again. */
export function follow(): void {
  const source = new EventSource(`${base}/events`)
  const on = <Name extends keyof LiveEvents>(name: Name, handle: (data: LiveEvents[Name]) => void) =>
    source.addEventListener(name, (event: MessageEvent<string>) => {
      handle(JSON.parse(event.data) as LiveEvents[Name])
      changes.value++
    })
  source.onopen = () => {
    connection.value = 'open'
    void call<readonly RequestRun[]>('/requests').then(
      (all) => all.forEach(keepRequest),
      () => (connection.value = 'lost'),
    )
  }
  source.onerror = () => {
    connection.value = 'lost'
    // the browser does not connect again after an answer other than 200
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000)
  }
  on('lab', (next) => (lab.value = next))
  on('request', keepRequest)
  on('rules', () => undefined)
  on('packets', keepPackets)
  on('end', ({ reason }) => {
    source.close()
    ending.value = reason
    connection.value = 'ended'
  })
}
