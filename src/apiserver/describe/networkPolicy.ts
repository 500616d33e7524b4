import { selectorText } from '../../cluster/columns/selectorText.js'
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../cluster/types.js'
import type { Describer } from './describer.js'

/** A NetworkPolicy in the words of kubectl (describeNetworkPolicySpec). */
export const networkPolicyDescriber: Describer<NetworkPolicy> = {
  kind: 'NetworkPolicy',
  needs: [],
  withoutEvents: true,
  describe: ({ metadata, spec }) => ({
    first: [['Created on', creationText(metadata.creationTimestamp)]],
    fields: [],
    sections: [{ heading: 'Spec', lines: specLines(spec) }],
  }),
}

/** As Go prints a time. */
function creationText(timestamp = ''): string {
  return timestamp.replace('T', ' ').replace('Z', ' +0000 UTC')
}

function specLines({ podSelector, ingress = [], egress = [], policyTypes = [] }: NetworkPolicy['spec']) {
  const selected = selectorText(podSelector)
  const all = selected === '<none>' ? ' (Allowing the specific traffic to all pods in this namespace)' : ''
  const from = ingress.map(({ ports, from: peers }) => ({ ports, peers }))
  const to = egress.map(({ ports, to: peers }) => ({ ports, peers }))
  return [
    `PodSelector:     ${selected}${all}`,
    ...direction(policyTypes.includes('Ingress'), 'ingress', rulesLines(from, 'From', 'source')),
    ...direction(policyTypes.includes('Egress'), 'egress', rulesLines(to, 'To', 'destination')),
    `Policy Types: ${policyTypes.join(', ')}`,
  ]
}

function direction(isAffected: boolean, name: string, lines: readonly string[]): string[] {
  if (!isAffected) return [`Not affecting ${name} traffic`]
  const isolated = `<none> (Selected pods are isolated for ${name} connectivity)`
  return [
    `Allowing ${name} traffic:`,
    ...(lines.length === 0 ? [isolated] : lines).map((line) => `  ${line}`),
  ]
}

interface Rule {
  readonly ports: readonly NetworkPolicyPort[] | undefined
  readonly peers: readonly NetworkPolicyPeer[] | undefined
}

function rulesLines(rules: readonly Rule[], word: string, end: string): string[] {
  return rules.flatMap(({ ports = [], peers = [] }, index) => [
    ...(index === 0 ? [] : ['----------']),
    ...(ports.length === 0 ? ['To Port: <any> (traffic allowed to all ports)'] : ports.map(portText)),
    ...(peers.length === 0
      ? [`${word}: <any> (traffic not restricted by ${end})`]
      : peers.flatMap((peer) => [`${word}:`, ...peerLines(peer).map((line) => `  ${line}`)])),
  ])
}

function portText({ port = '<nil>', endPort, protocol = 'TCP' }: NetworkPolicyPort): string {
  return endPort === undefined
    ? `To Port: ${port}/${protocol}`
    : `To Port Range: ${port}-${endPort}/${protocol}`
}

function peerLines({ namespaceSelector, podSelector, ipBlock }: NetworkPolicyPeer): string[] {
  if (ipBlock !== undefined)
    return ['IPBlock:', `  CIDR: ${ipBlock.cidr}`, `  Except: ${(ipBlock.except ?? []).join(', ')}`]
  return [
    ...(namespaceSelector === undefined ? [] : [`NamespaceSelector: ${selectorText(namespaceSelector)}`]),
    ...(podSelector === undefined ? [] : [`PodSelector: ${selectorText(podSelector)}`]),
  ]
}
