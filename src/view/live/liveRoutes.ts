import { joinSandbox } from '../../host/sandbox/sandbox.js'
import type { EventStreams } from '../../host/view/eventStreams.js'
import { HttpError } from '../../host/view/httpError.js'
import type { Call, Reply, Route } from '../../host/view/routes.js'
import { sendOrder } from '../../up/sendOrder.js'
import type { UpLab } from '../../up/upLab.js'
import type { Invitation, LiveLab, LivePlace, PlaceDetails, PodCallers } from './api.js'
import type { PacketWatch } from './livePackets.js'
import { readLiveRequest, type LiveRequests } from './liveRequests.js'
import { readSwitch, type LiveRules } from './liveRules.js'
import { readOpenTerminal, readSize, readTyped, type LiveTerminals } from './liveTerminals.js'
import { callApi } from '../../host/kubeApi/callApi.js'
import { apiTarget } from '../../up/api.js'

const reads = ['GET']
const writes = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The limit of the API server itself. */
const mostBytes = 3 * 2 ** 20

/** The lab’s Kubernetes API below a path: the same methods, bodies and answers; without `exec` and other upgrades. */
function kubernetesRoute(up: UpLab, path: string, readOnly: boolean): Route {
  return {
    ...{ method: '*', path: `${path}/*`, mostBytes },
    async answer({ method, rest, headers, signal, body }) {
      if (readOnly && writes.includes(method)) throw new HttpError(403, 'this page changes no objects')
      if (![...reads, ...writes].includes(method)) throw new HttpError(405, `no method ${method}`)
      const call = { ...apiTarget(up, rest), method, headers, body: await body() }
      return callApi(joinSandbox(up.pid, up.rootless), call, signal)
    },
  }
}

/** What a page shows of a cluster that runs, or was read. */
export interface PageParts {
  readonly lab: () => LiveLab
  readonly requests: LiveRequests
  readonly rules: Pick<LiveRules, 'read'>
  readonly details: (netns: string, place: LivePlace) => Promise<PlaceDetails>
  readonly callers: (netns: string) => Promise<PodCallers>
  readonly streams: EventStreams
}

/** What the API of a page needs of its running lab. */
export interface LiveParts extends PageParts {
  readonly up: UpLab
  readonly rules: LiveRules
  readonly packets: PacketWatch
  readonly terminals: LiveTerminals
  /** A URL that is valid for this time; absent if browsers cannot invite others. */
  readonly invite?: ((validMs: number) => string) | undefined
}

const invitationMs = 10 * 60 * 1000

/** The part of the API of a page that needs no running lab; src/view/live/api.ts declares it. */
export function pageRoutes({ lab, requests, rules, details, callers, streams }: PageParts): readonly Route[] {
  return [
    get('/lab', () => lab()),
    get('/requests', () => requests.all()),
    get('/requests/{id}/paths/{n}', ({ segments: { id = '', n = '' } }) => requests.path(id, n)),
    post('/requests', async ({ body }) => requests.run(readLiveRequest(await body()))),
    post('/why', async ({ body }) => requests.why(readLiveRequest(await body()))),
    {
      ...{ method: 'GET', path: `${base}/events` },
      answer: () => Promise.resolve({ streams, first: [['lab', lab()]] }),
    },
    get('/nodes/{node}/rules', ({ segments: { node = '' }, query }) => rules.read(node, query)),
    get('/places/{netns}', ({ segments: { netns = '' } }) => details(netns, placeOf(lab(), netns))),
    get('/places/{netns}/callers', ({ segments: { netns = '' } }) => {
      placeOf(lab(), netns)
      return callers(netns)
    }),
  ]
}

function placeOf({ places }: LiveLab, netns: string): LivePlace {
  const place = Object.hasOwn(places, netns) ? places[netns] : undefined
  if (place === undefined) throw new HttpError(404, `there is no place ${netns}`)
  return place
}

/** The API of the page of a running lab. */
export function liveRoutes(parts: LiveParts): readonly Route[] {
  const { up, lab, rules, packets, terminals, invite } = parts
  const ofLink = <Found>({ segments }: Call, find: (netns: string, device: string) => Found | undefined) => {
    const { netns = '', interface: device = '' } = segments
    const found = find(netns, device)
    if (found === undefined) throw new HttpError(404, `there is no link ${netns}:${device}`)
    return found
  }
  return [
    ...pageRoutes(parts),
    ...(invite === undefined
      ? []
      : [post('/invitations', (): Invitation => ({ url: invite(invitationMs) }))]),
    post('/nodes/{node}/rules', async ({ segments: { node = '' }, body }) => {
      if (lab().readOnly) throw new HttpError(403, 'this page switches no rules')
      return rules.turn(node, readSwitch(await body()))
    }),
    post('/nodes/{node}/kube-proxy', async ({ segments: { node = '' } }) => {
      if (lab().readOnly) throw new HttpError(403, 'this page restarts nothing', 'it is read-only')
      if (!lab().topology.nodes.some(({ name }) => name === node))
        throw new HttpError(404, `there is no node ${node}`)
      await sendOrder(up.holder, { do: 'restart-kube-proxy', node })
      return {}
    }),
    ...terminalRoutes(terminals),
    kubernetesRoute(up, `${base}/kubernetes`, lab().readOnly),
    get('/links/{netns}/{interface}/packets', (call) =>
      ofLink(call, (netns, device) => packets.packets(netns, device)),
    ),
    {
      ...{ method: 'GET', path: `${base}/links/{netns}/{interface}/pcap` },
      answer: (call) => {
        const { netns = '', interface: device = '' } = call.segments
        return Promise.resolve({
          ...{ type: 'application/octet-stream', body: ofLink(call, (...link) => packets.pcapng(...link)) },
          fileName: `${netns}-${device}.pcapng`,
        })
      },
    },
  ]
}

function terminalRoutes(terminals: LiveTerminals): readonly Route[] {
  const idOf = ({ segments: { id = '' } }: Call) => id
  const done = { done: true }
  return [
    post('/terminals', async ({ body }) => terminals.open(readOpenTerminal(await body()))),
    {
      ...{ method: 'GET', path: `${base}/terminals/{id}/output` },
      answer: (call) =>
        Promise.resolve({
          type: 'application/octet-stream',
          body: terminals.output(idOf(call), call.signal),
        }),
    },
    post('/terminals/{id}/input', async (call) => {
      await terminals.type(idOf(call), readTyped(await call.body()))
      return done
    }),
    post('/terminals/{id}/size', async (call) => {
      await terminals.resize(idOf(call), readSize(await call.body()))
      return done
    }),
    {
      ...{ method: 'DELETE', path: `${base}/terminals/{id}` },
      answer: (call) => {
        terminals.close(idOf(call))
        return json(done)
      },
    },
  ]
}

const base = '/api/v1'

function get(path: string, answer: (call: Call) => unknown): Route {
  return { method: 'GET', path: base + path, answer: (call) => json(answer(call)) }
}

function post(path: string, answer: (call: Call) => unknown): Route {
  return { method: 'POST', path: base + path, answer: (call) => json(answer(call)) }
}

async function json(value: unknown): Promise<Reply> {
  return { type: 'application/json', body: JSON.stringify(await value) }
}
