import type { IpFamily } from '../../cluster/types.js'
import { localDetector } from '../detectLocal.js'
import { categorizeEndpoints } from '../endpointCategories.js'
import { endpointsMap, type ProxyEndpoint } from '../endpoints.js'
import type { ProxyInput } from '../input.js'
import { placeOf } from '../iptables/context.js'
import { nodeIPs } from '../nodeAddresses.js'
import { servicePorts, type ServicePort } from '../servicePort.js'
import type { PortWithEndpoints } from '../staleConntrack.js'
import { ipvsChains, ipvsJumps } from './chains.js'
import { filterRules } from './filterRules.js'
import { frontendsOf, type Frontend, type FrontendPlace } from './frontends.js'
import { natRules } from './natRules.js'
import { nodePortIPs, ownAddresses } from './nodeAddresses.js'
import { setNames, type SetName } from './sets.js'
import type { IpvsState, VirtualServer } from './types.js'

/** All that kube-proxy in IPVS mode makes on one node in one family; mirrors syncProxyRules of pkg/proxy/ipvs. */
export function buildIpvs(input: ProxyInput, family: IpFamily): IpvsState {
  const { config, node } = input
  const ports = portsOf(input, family)
  const endpoints = endpointsMap(input.endpointSlices, family, node.metadata.name)
  const place: FrontendPlace = {
    nodeIP: nodeIPs(node, config)[family],
    nodePortIPs: nodePortIPs(input, family),
    elsewhere: new Set(ownAddresses(input, family)),
  }
  const scheduler = config.ipvs.scheduler === '' ? 'rr' : config.ipvs.scheduler
  const servers = new Map<string, VirtualServer>()
  const entries = new Map<SetName, Set<string>>(setNames.map((name) => [name, new Set()]))
  const enter = (name: SetName, entry: string) => entries.get(name)?.add(entry)
  const addresses = new Set<string>()
  for (const port of ports) {
    const known = endpoints.get(port.key) ?? []
    for (const endpoint of known) if (endpoint.local) enter('KUBE-LOOP-BACK', hairpinEntry(port, endpoint))
    const categories = categorizeEndpoints(known, port, placeOf(input))
    for (const frontend of frontendsOf(port, categories, place)) {
      // Two Services may claim an address and port: the one that is written last has it.
      servers.set(
        `${frontend.address} ${frontend.port} ${port.protocolName}`,
        serverOf(port, frontend, scheduler),
      )
      for (const [name, entry] of frontend.entries) enter(name, entry)
      if (frontend.bound) addresses.add(frontend.address)
    }
    const answered = port.nodePort === 0 || place.nodePortIPs.length > 0
    if (port.healthCheckNodePort !== 0 && answered)
      enter('KUBE-HEALTH-CHECK-NODE-PORT', String(port.healthCheckNodePort))
  }
  for (const address of addresses) enter('KUBE-IPVS-IPS', address)
  const sets = asRecord(entries)
  const mark = 2 ** config.iptables.masqueradeBit
  return {
    family,
    virtualServers: [...servers.values()],
    sets,
    addresses: [...addresses].sort(),
    jumps: ipvsJumps,
    nat: {
      chains: ipvsChains.nat,
      rules: natRules({
        family,
        sets,
        mark,
        randomFully: input.randomFully ?? true,
        masqueradeAll: config.iptables.masqueradeAll,
        detector: localDetector(config, node, family),
      }),
    },
    filter: {
      chains: ipvsChains.filter,
      rules: filterRules({ family, sets, mark, nodeIP: place.nodeIP, servicePorts: ports }),
    },
  }
}

function asRecord(entries: ReadonlyMap<SetName, ReadonlySet<string>>): IpvsState['sets'] {
  const lists = Array.from(entries, ([name, all]) => [name, [...all]] as const)
  return Object.fromEntries(lists) as Record<SetName, readonly string[]>
}

/** The service ports of one family with every endpoint that is known of each. */
export function ipvsServicePorts(input: ProxyInput, family: IpFamily): PortWithEndpoints[] {
  const endpoints = endpointsMap(input.endpointSlices, family, input.node.metadata.name)
  return portsOf(input, family).map((port) => ({ port, endpoints: endpoints.get(port.key) ?? [] }))
}

function portsOf(input: ProxyInput, family: IpFamily): readonly ServicePort[] {
  const options = { externalIPs: input.config.featureGates['AllowServiceExternalIPs'] ?? true }
  return input.services
    .flatMap((service) => servicePorts(service, family, options))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

function hairpinEntry(port: ServicePort, { address, port: target }: ProxyEndpoint): string {
  return `${address},${port.protocolName}:${target},${address}`
}

function serverOf(port: ServicePort, frontend: Frontend, scheduler: string): VirtualServer {
  return {
    address: frontend.address,
    port: frontend.port,
    protocol: port.protocolName,
    scheduler,
    persistence: port.affinitySeconds,
    realServers: [...new Set(frontend.endpoints.map(({ text }) => text))],
  }
}
