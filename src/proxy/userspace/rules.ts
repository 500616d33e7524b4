import { comment, dnat, isLocal, transport } from '../../netfilter/rules/build.js'
import type { Match, Target } from '../../netfilter/rules/model.js'
import { userspaceChain, userspaceJumps } from './chains.js'
import type { Portal, PortalPlace, UserspaceRule, UserspaceRules } from './types.js'

const local = isLocal('dst')

/** The rules that redirect to kube-proxy's own ports; mirrors openPortal of pkg/proxy/userspace. */
export function userspaceRules(portals: readonly Portal[], place: PortalPlace): UserspaceRules {
  const both = portals.map((portal) => ({
    nat: [...addressRules(portal, place), ...nodePortRules(portal, place)],
    filter: inputRules(portal),
  }))
  return {
    jumps: userspaceJumps,
    nat: both.flatMap(({ nat }) => nat),
    filter: both.flatMap(({ filter }) => filter),
  }
}

function addressRules(portal: Portal, place: PortalPlace): UserspaceRule[] {
  const { port } = portal
  const { portalsContainer, portalsHost } = userspaceChain
  const rules: UserspaceRule[] = []
  const add = (chain: string, address: string, more: readonly Match[], target: Target, reason: string) => {
    const { matches, ...to } = transport(port.protocolName, [comment(port.name)], port.port, address)
    rules.push({ chain, ...to, matches: [...matches, ...more], target, reason, port })
  }
  const both = (address: string, what: string) => {
    add(portalsContainer, address, [], incoming(portal, place), `${what}: ${toProxy}`)
    add(portalsHost, address, [], outgoing(portal, place), `${what}, from this node itself: ${toProxy}`)
  }
  both(port.clusterIP, 'spec.clusterIP')
  for (const address of port.externalIPs) {
    const into = incoming(portal, place)
    const notBridged: Match = { kind: 'physdev', physdevIsIn: false }
    add(
      portalsContainer,
      address,
      [notBridged],
      into,
      `spec.externalIPs, not from a pod behind a bridge: ${toProxy}`,
    )
    add(portalsContainer, address, [local], into, `spec.externalIPs, an address of this node: ${toProxy}`)
    add(
      portalsHost,
      address,
      [local],
      outgoing(portal, place),
      `spec.externalIPs, an address of this node: ${toProxy}`,
    )
  }
  for (const address of port.loadBalancerVIPs) both(address, 'status.loadBalancer.ingress')
  return rules
}

const toProxy = 'to kube-proxy’s own port, which accepts the connection'

function nodePortRules(portal: Portal, place: PortalPlace): UserspaceRule[] {
  const { port } = portal
  if (port.nodePort === 0) return []
  const toPort = transport(port.protocolName, [comment(port.name)], port.nodePort)
  const reason = `spec.ports[].nodePort: ${toProxy}`
  return [
    { chain: userspaceChain.nodePortContainer, ...toPort, target: incoming(portal, place), reason, port },
    { chain: userspaceChain.nodePortHost, ...toPort, target: outgoing(portal, place), reason, port },
  ]
}

/** INPUT sees the packet after redirection: the port is kube-proxy's. */
function inputRules(portal: Portal): UserspaceRule[] {
  const { port, proxyPort } = portal
  if (port.nodePort === 0) return []
  const { matches, ...toPort } = transport(port.protocolName, [comment(port.name)], proxyPort)
  return [
    {
      chain: userspaceChain.nodePortNonLocal,
      ...toPort,
      matches: [...matches, { kind: 'state', state: { value: ['NEW'] } }],
      target: { kind: 'ACCEPT' },
      reason:
        'accepts clients of the node port; the port is kube-proxy’s, because the packet is already redirected',
      port,
    },
  ]
}

function incoming({ proxyPort }: Portal, { bindAddress }: PortalPlace): Target {
  return bindAddress === '0.0.0.0' || bindAddress === '::'
    ? { kind: 'REDIRECT', toPorts: { first: proxyPort, last: proxyPort } }
    : dnat(bindAddress, proxyPort)
}

function outgoing({ proxyPort }: Portal, { hostIP }: PortalPlace): Target {
  return dnat(hostIP, proxyPort)
}
