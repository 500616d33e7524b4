import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { readConntrack } from '../../host/readings.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { socketText } from '../../net/socketText.js'
import type { ConntrackEntry } from '../../netfilter/types.js'
import type { ConntrackLine, LivePlace, PlaceDetails } from './api.js'

/** More entries are not shown. */
const mostShown = 1000

const what = 'reading the state of a place'

/** What a node, pod or client has now. Throws CommandError. */
export async function placeDetails(
  sandbox: Sandbox,
  netns: string,
  place: LivePlace,
  families: readonly IpFamily[],
): Promise<PlaceDetails> {
  const run = async (argv: readonly string[]) => (await sandbox.must(what, argv, { netns })).stdout
  const [addresses, routes, sockets, entries] = await Promise.all([
    run(['ip', '-o', 'address']),
    Promise.all(families.map((family) => run(['ip', family === 'IPv4' ? '-4' : '-6', 'route']))),
    run(['ss', '-Htunap']),
    readConntrack(sandbox, netns, families, undefined),
  ])
  return {
    ...{ ...place, netns, addresses: readAddresses(addresses), sockets: readSockets(sockets) },
    routes: routes.flatMap((text) => linesOf(text)),
    conntrack: entries.slice(0, mostShown).map(conntrackLine),
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

/** Lines of `ip -o address`: `2: eth0    inet 172.18.0.2/16 brd …`. */
export function readAddresses(text: string): PlaceDetails['addresses'] {
  return linesOf(text).flatMap((line) => {
    const [, device, address] = /^\d+: (\S+) +inet6? (\S+)/.exec(line) ?? []
    return device === undefined || address === undefined ? [] : [{ interface: device, address }]
  })
}

/** Lines of `ss -Htunap`: protocol, state, queues, both addresses, `users:(("node",pid=12,fd=3))`. */
export function readSockets(text: string): PlaceDetails['sockets'] {
  return linesOf(text)
    .slice(0, mostShown)
    .flatMap((line) => {
      const [protocol, state, , , local, peer, ...rest] = line.split(/\s+/)
      if (protocol === undefined || state === undefined || local === undefined || peer === undefined)
        return []
      const [, name] = /^users:\(\("([^"]*)"/.exec(rest.join(' ')) ?? []
      return [{ protocol, state, local, peer, process: name }]
    })
}

function conntrackLine({ protocol, state, original, reply }: ConntrackEntry): ConntrackLine {
  const texts = ({ source, destination }: ConntrackEntry['reply']) => ({
    source: socketText(source),
    destination: socketText(destination),
  })
  return { protocol, state, original: texts(original), reply: texts(reply) }
}
