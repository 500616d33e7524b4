import { comment, dnat, isLocal, transport } from '../../../netfilter/rules/build.js'
import type { Match, Target } from '../../../netfilter/rules/model.js'
import { userspaceChain, userspaceJumps } from './chains.js'
import type { UserspaceReason } from './texts.js'
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
  const add = (
    chain: string,
    address: string,
    more: readonly Match[],
    target: Target,
    reason: UserspaceReason,
  ) => {
    const { matches, ...to } = transport(port.protocolName, [comment(port.name)], port.port, address)
    rules.push({ chain, ...to, matches: [...matches, ...more], target, reason, port })
  }
  const both = (address: string, reason: 'clusterIP' | 'loadBalancerIP') => {
    add(portalsContainer, address, [], incoming(portal, place), reason)
    add(portalsHost, address, [], outgoing(portal, place), `${reason}FromNode`)
  }
  both(port.clusterIP, 'clusterIP')
  for (const address of port.externalIPs) {
    const into = incoming(portal, place)
    const notBridged: Match = { kind: 'physdev', physdevIsIn: false }
    add(portalsContainer, address, [notBridged], into, 'externalIPNotBridged')
    add(portalsContainer, address, [local], into, 'externalIPHere')
    add(portalsHost, address, [local], outgoing(portal, place), 'externalIPHere')
  }
  for (const address of port.loadBalancerVIPs) both(address, 'loadBalancerIP')
  return rules
}

function nodePortRules(portal: Portal, place: PortalPlace): UserspaceRule[] {
  const { port } = portal
  if (port.nodePort === 0) return []
  const toPort = transport(port.protocolName, [comment(port.name)], port.nodePort)
  const reason = 'nodePort'
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
      reason: 'nodePortClients',
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
