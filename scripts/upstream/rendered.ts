import type { EndpointSlice, Service } from '../../src/cluster/types.js'
import type { ProxyInput } from '../../src/agents/kubeProxy/input.js'
import { renderSync, staleChains } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { markText } from '../../src/agents/kubeProxy/markText.js'
import { renderTable } from '../../src/agents/kubeProxy/nftables/render.js'
import { buildTable } from '../../src/agents/kubeProxy/nftables/table.js'
import { parseKubeProxyConfiguration } from '../../src/agents/kubeProxy/parseConfig.js'
import type { MinorVersion } from '../../src/agents/kubeProxy/versions/version.js'
import type { IpFamily } from '../../src/net/ipFamily.js'

/** What a hook sends: the objects that upstream's proxier has seen, and its settings. */
export interface HookInput {
  readonly mode: 'iptables' | 'nftables'
  readonly family: IpFamily
  readonly services: readonly Service[]
  readonly endpointSlices: readonly (Omit<EndpointSlice, 'endpoints'> & {
    readonly endpoints: EndpointSlice['endpoints'] | null
  })[]
  readonly nodeName: string
  readonly labels: Readonly<Record<string, string>> | null
  readonly nodeIP: string
  readonly masqueradeAll: boolean
  /** `0x4000` */
  readonly mark: string
  /** How traffic of pods is matched: `-s 10.0.0.0/8`; empty if it is not. */
  readonly detected: string
  readonly nodePortAddresses: readonly string[]
  readonly localAddresses: readonly string[]
  readonly gates: Readonly<Record<string, boolean>>
  readonly localhostNodePorts?: boolean
  readonly liberal?: boolean
  readonly nfacct?: boolean
  readonly randomFully?: boolean
  readonly serviceCIDRs?: readonly string[]
  /** The Services whose chains a partial sync writes. */
  readonly only?: readonly string[]
  /** The chains in table nat, if stale ones are deleted. */
  readonly existing?: readonly string[]
}

/** What kube-proxy of a version should write for it, as vethlab renders it; the mark has the digits that the test has. */
export function rendered(sent: HookInput, version: MinorVersion): string {
  return renderedRules(sent, version).replaceAll(markText(Number(sent.mark)), sent.mark)
}

function renderedRules(sent: HookInput, version: MinorVersion): string {
  const input = proxyInput(sent, version)
  if (sent.mode === 'nftables') return renderTable(buildTable(input, sent.family))
  const ruleset = buildRuleset(input, sent.family)
  return renderSync(ruleset, {
    ...(sent.only && { only: new Set(sent.only) }),
    staleChains: staleChains(ruleset, sent.existing ?? []),
  })
}

function proxyInput(sent: HookInput, version: MinorVersion): ProxyInput {
  const masquerade = { masqueradeAll: sent.masqueradeAll, masqueradeBit: Math.log2(Number(sent.mark)) }
  const { config } = parseKubeProxyConfiguration({}, version)
  return {
    services: sent.services,
    endpointSlices: sent.endpointSlices.map((slice) => ({ ...slice, endpoints: slice.endpoints ?? [] })),
    node: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: sent.nodeName, labels: sent.labels ?? {} },
      status: { addresses: [{ type: 'InternalIP', address: sent.nodeIP }] },
    },
    config: {
      ...config,
      mode: sent.mode,
      clusterCIDR: sent.detected.split(' ').at(-1) ?? '',
      nodePortAddresses: sent.nodePortAddresses,
      iptables: { ...config.iptables, ...masquerade, localhostNodePorts: sent.localhostNodePorts === true },
      nftables: { ...config.nftables, ...masquerade },
      conntrack: { ...config.conntrack, tcpBeLiberal: sent.liberal === true },
      featureGates: sent.gates,
    },
    nfacct: sent.nfacct === true,
    randomFully: sent.randomFully === true,
    localAddresses: sent.localAddresses,
    serviceCIDRs: sent.serviceCIDRs ?? [],
  }
}
