import { forwardingLine, linkLine, namespaceLines } from './ipBatch.js'
import type { Network } from './network.js'
import type { SandboxFile, Stage, Topology } from './types.js'

const folder = '/run/vethlab/ip'

/** The namespaces alone: captures are slow to start, and need no more than these. */
export function planNamespaces({ nodes, clients, pods }: Topology): Stage {
  const lines = [...nodes, ...clients, ...pods].map(({ netns }) => `netns add ${netns}`)
  return oneBatch('network namespaces', `${folder}/namespaces`, lines)
}

/** Veth pairs and bridges: one `ip -batch` in the sandbox's first namespace, where the fabric is. */
export function planLinks({ links, ...network }: Network): Stage {
  return oneBatch('veth pairs and bridges', `${folder}/links`, [
    ...links.filter(({ type }) => type.kind !== 'vxlan').map(linkLine),
    ...namespaceLines(byNamespace(network).get(undefined) ?? nothing),
  ])
}

/** The tunnel devices of the nodes: they need the nodes' links, and sysctls need them. */
export function planOverlay({ links }: Network): Stage {
  const lines = new Map<string, string[]>()
  for (const { netns = '', ...link } of links)
    if (link.type.kind === 'vxlan')
      lines.set(netns, [...(lines.get(netns) ?? []), linkLine({ netns: undefined, ...link })])
  return inNamespaces('VXLAN devices of the nodes', ['ip', '-batch'], '/run/vethlab/overlay/links', lines)
}

/** Addresses, neighbours and routes: one `ip -batch` per namespace, all at once. */
export function planAddresses(network: Network): Stage {
  const lines = new Map(
    [...byNamespace(network)].flatMap(([netns, inside]) =>
      netns === undefined ? [] : [[netns, namespaceLines(inside)] as const],
    ),
  )
  return inNamespaces('addresses and routes', ['ip', '-batch'], `${folder}/ns`, lines)
}

/** The tunnel end of each node: nothing is learned from packets, flannel reads it from the Node objects. */
export function planForwarding({ forwarding }: Network): Stage {
  const lines = new Map<string, string[]>()
  for (const entry of forwarding)
    lines.set(entry.netns, [...(lines.get(entry.netns) ?? []), forwardingLine(entry)])
  return inNamespaces(
    'forwarding entries of the VXLAN devices',
    ['bridge', '-batch'],
    '/run/vethlab/overlay/fdb',
    lines,
  )
}

/** A batch in the sandbox's first namespace. */
export function oneBatch(name: string, path: string, lines: readonly string[]): Stage {
  return { name, files: [batchFile(path, lines)], commands: [{ argv: ['ip', '-batch', path] }] }
}

/** A batch in each of some namespaces, all at once. */
export function inNamespaces(
  name: string,
  program: readonly string[],
  files: string,
  lines: ReadonlyMap<string, readonly string[]>,
): Stage {
  return {
    name,
    files: [...lines].map(([netns, own]) => batchFile(`${files}/${netns}`, own)),
    // `ip -n` would copy every mount of the sandbox for each call: with many namespaces that is most of the time
    commands: [
      { argv: ['nsenter', '--net=/run/netns/{}', ...program, `${files}/{}`], each: [...lines.keys()] },
    ],
  }
}

/** The contents of each namespace. */
export function byNamespace(network: Omit<Network, 'links' | 'forwarding'>): Map<string | undefined, Inside> {
  const found = new Map<string | undefined, Inside>()
  const of = (netns: string | undefined) => {
    const inside = found.get(netns) ?? { devices: [], ports: [], neighbours: [], routes: [] }
    found.set(netns, inside)
    return inside
  }
  for (const device of network.devices) of(device.netns).devices.push(device)
  for (const port of network.ports) of(port.netns).ports.push(port)
  for (const neighbour of network.neighbours) of(neighbour.netns).neighbours.push(neighbour)
  for (const route of network.routes) of(route.netns).routes.push(route)
  return found
}

type Inside = { -readonly [Part in 'devices' | 'ports' | 'neighbours' | 'routes']: Network[Part][number][] }

const nothing: Inside = { devices: [], ports: [], neighbours: [], routes: [] }

function batchFile(path: string, lines: readonly string[]): SandboxFile {
  return { path, text: lines.map((line) => `${line}\n`).join('') }
}
