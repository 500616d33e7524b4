import type { CheckFinding, CheckResult } from '../../diagnose/check/types.js'
import { modeNames } from '../../agents/kubeProxy/config.js'
import { HttpError } from '../../host/view/httpError.js'
import { joinHostPort, socketText } from '../../net/socketText.js'
import { inMode, plannedState } from '../../snapshot/fromPlan/plannedState.js'
import type { Snapshot } from '../../snapshot/model/snapshot.js'
import type { TracedSocket, Tuple } from '../../snapshot/model/packet.js'
import type { Route } from '../../topology/network.js'
import { version } from '../../version.js'
import type { LiveFinding, LiveLab, LivePlace, NodeRules, PlaceDetails } from './api.js'
import { downLinks } from '../path/downLinks.js'
import { livePlaces } from './liveLab.js'
import { familyOf, isModeName, netnsOf, type LiveRules } from './liveRules.js'
import { inOrderOfHooks, iptablesChains, nftChains } from './nodeRules.js'

/** A cluster that was read, and what `check` found in it, as its page shows it. */
export function readLab({ basis, model, state }: Snapshot, { findings }: CheckResult): LiveLab {
  const { lab, kubeProxy, topology, view } = model
  const { nodes, clients, pods, families } = topology
  const places = livePlaces([...nodes, ...clients, ...pods])
  return {
    ...{ vethlab: version(), lab: lab.title, title: lab.title, families, topology: view, readOnly: true },
    mode: kubeProxy.kind === 'none' ? undefined : kubeProxy.mode.name,
    backend: basis === 'plan' ? 'plan' : 'attached files',
    startedAt: 0,
    places,
    downLinks: downLinks(state.network, places),
    findings: findings.map(findingOf),
  }
}

function findingOf({ note, says, at = [], affects, asks, fixes }: CheckFinding): LiveFinding {
  const finding = { isRisk: note === true, says, at, affects: affects.length, fixes }
  if (asks === undefined) return finding
  const { from, to, protocol } = asks
  // the page asks for no others
  if (protocol !== 'tcp' && protocol !== 'udp' && protocol !== 'icmp') return finding
  return { ...finding, request: { from, to, protocol, predict: true } }
}

/** The rules of the nodes of a cluster that was read; those of another mode are what kube-proxy would write. */
export function readRules({ model, state }: Snapshot, lab: LiveLab): Pick<LiveRules, 'read'> {
  return {
    read(node, query) {
      const family = familyOf(lab, query.get('family'))
      const netns = netnsOf(lab, node)
      const mode = query.get('mode') ?? lab.mode
      const isLive = mode === lab.mode
      if (!isLive && !isModeName(mode)) throw new HttpError(400, `the modes are ${modeNames.join(', ')}`)
      const { rules, nft } = isLive || !isModeName(mode) ? state : plannedState(inMode(model, mode))
      const native = nft.get(netns)
      const chains = [
        ...iptablesChains(rules.get(netns)?.[family] ?? new Map<string, never>()),
        ...(native === undefined ? [] : nftChains(native, family)),
      ]
      const answer: NodeRules = { node, mode, family, isLive, chains: inOrderOfHooks(chains) }
      return Promise.resolve(answer)
    },
  }
}

/** What was read of a place, or is planned. */
export function readPlaceDetails({ state }: Snapshot, netns: string, place: LivePlace): PlaceDetails {
  const { network, listeners, connections = [] } = state
  const isOwn = (one: { readonly netns: string | undefined }) => one.netns === netns
  return {
    ...{ ...place, netns },
    addresses: network.devices.filter(isOwn).flatMap(({ name, addresses }) =>
      addresses.map(({ address, prefixLength }) => ({
        interface: name,
        address: `${address}/${prefixLength}`,
      })),
    ),
    routes: network.routes
      .filter(isOwn)
      .filter(({ table = 'main' }) => table === 'main')
      .map(routeText),
    sockets: listeners.filter(isOwn).map(({ protocol, address, family, port, name }) => ({
      ...{ protocol, state: protocol === 'tcp' ? 'LISTEN' : 'UNCONN', process: name },
      local: joinHostPort(address ?? (family === 'IPv4' ? '0.0.0.0' : '*'), port),
      peer: '*:*',
    })),
    conntrack: connections
      .filter((one) => one.place === netns)
      .map(({ protocol, original, reply }) => ({
        protocol,
        original: endsOf(original),
        reply: endsOf(reply),
      })),
  }
}

/** As `ip route` prints it. */
function routeText({ kind = 'unicast', to, via, device, metric, source }: Route): string {
  return [
    ...(kind === 'unicast' ? [] : [kind]),
    to,
    ...(via === undefined ? [] : ['via', via]),
    ...(device === '' ? [] : ['dev', device]),
    ...(source === undefined ? [] : ['src', source]),
    ...(metric === undefined ? [] : ['metric', metric]),
  ].join(' ')
}

function endsOf({ source, destination }: Tuple) {
  return { source: endText(source), destination: endText(destination) }
}

function endText({ address, port }: TracedSocket): string {
  if (port !== undefined && port.first !== port.last)
    return `${joinHostPort(address, port.first)}-${port.last}`
  return socketText({ address, ...(port && { port: port.first }) })
}
