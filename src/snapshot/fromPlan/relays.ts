import { portField } from '../../agents/kubeProxy/servicePort.js'
import { splitPort } from '../../net/socketText.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { healthChecks } from '../../agents/kubeProxy/healthChecks.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import type { ServedPortal } from '../../agents/kubeProxy/userspace/portals.js'
import { balancerName, proxiedAddresses, proxiedPorts } from '../../topology/proxyBalancer.js'
import type { Network } from '../../topology/network.js'
import type { Topology } from '../../topology/types.js'
import { familyOf } from '../../net/ipFamily.js'
import type { TracedProtocol } from '../model/packet.js'
import type { RelayTarget } from '../model/relay.js'
import type { Listener } from '../model/state.js'
import { compileIngress } from '../../ingress/compileIngress.js'
import type { ProxiedNode } from '../../agents/agent.js'
import type { LabModel } from '../model/snapshot.js'

/** The sockets of kube-proxies that relay connections. */
export function portalListeners(topology: Topology, proxied: ReadonlyMap<string, ProxiedNode>): Listener[] {
  return topology.nodes.flatMap(({ name, netns }) =>
    topology.families.flatMap((family) => {
      const { mode, input } = proxied.get(name) ?? {}
      const served = input && mode?.portals?.(input, family)
      if (served === undefined) return []
      const { bindAddress } = served.place
      const isForAll = bindAddress === '0.0.0.0' || bindAddress === '::'
      return served.portals.map((portal) => ({
        ...{ netns, ...portalSocket(portal), name: `kube-proxy of ${name}` },
        ...(isForAll ? { family } : { address: bindAddress }),
      }))
    }),
  )
}

function portalSocket({ port, proxyPort, endpoints }: ServedPortal) {
  return {
    protocol: port.protocolName as TracedProtocol,
    port: proxyPort,
    relay: {
      kind: 'turn',
      picks: port.affinitySeconds > 0 ? 'session affinity' : 'round robin',
      targets: endpoints.flatMap(targetOf),
      object: portField(port),
    },
  } as const
}

/** The sockets of the proxies of ingress controllers. */
export function ingressListeners({ lab, cluster, topology }: LabModel): Listener[] {
  return lab.ingress.flatMap((spec) => {
    const { proxy } = spec
    if (proxy === 'command') return []
    const { listeners } = compileIngress(cluster, spec, noCertificate).configuration
    const ports = [...new Set(listeners.map(({ port }) => port))]
    const pods = topology.pods.filter(({ namespace }) => namespace === spec.name)
    return pods.flatMap(({ netns, namespace, name }) =>
      ports.map((port): Listener => ({
        ...{ netns, protocol: 'tcp', port, name: `${proxy} of pod ${namespace}/${name}` },
        relay: { kind: 'http', listeners: listeners.filter((one) => one.port === port), proxy },
      })),
    )
  })
}

const noCertificate = { certificate: '', key: '' }

/** The sockets of the load balancer of mode proxy; nodes are healthy for a Service if they have endpoints of it. */
export function balancerListeners(
  { cluster }: LabModel,
  proxied: ReadonlyMap<string, ProxiedNode>,
): Listener[] {
  const isHealthy = (node: string, port: number) => {
    const { input } = proxied.get(node) ?? {}
    return input !== undefined && hasEndpoint(input, port)
  }
  return proxiedPorts(cluster, isHealthy).map(({ address, port, protocol, targets, proxyProtocol }) => ({
    ...{ netns: balancerName, protocol: protocol.toLowerCase() as TracedProtocol, port, address },
    name: 'the load balancer',
    relay: {
      ...{ kind: 'turn', picks: 'round robin', targets: targets.flatMap(targetOf) },
      ...(proxyProtocol === true && { proxyHeader: true }),
    },
  }))
}

function hasEndpoint(input: ProxyInput, port: number): boolean {
  const families: readonly IpFamily[] = ['IPv4', 'IPv6']
  return families
    .flatMap((family) => healthChecks(input, family))
    .some((check) => check.port === port && check.localEndpoints > 0)
}

/** The network with the addresses of Services on the host of the load balancer. */
export function withBalancerAddresses(network: Network, { cluster }: LabModel): Network {
  const added = proxiedAddresses(cluster).map((address) => {
    const family = familyOf(address)
    return { family, address, prefixLength: family === 'IPv4' ? 32 : 128 }
  })
  if (added.length === 0) return network
  const devices = network.devices.map((device) =>
    device.netns === balancerName && device.name === 'eth0'
      ? { ...device, addresses: [...device.addresses, ...added] }
      : device,
  )
  return { ...network, devices }
}

function targetOf(text: string): RelayTarget[] {
  const { host, port } = splitPort(text) ?? {}
  return host === undefined || port === undefined ? [] : [{ address: host, port: Number(port) }]
}
