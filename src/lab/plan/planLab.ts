import { mergeTables } from '../../netfilter/mergeTables.js'
import { splitNft } from '../../netfilter/splitNft.js'
import { splitRestore } from '../../netfilter/splitRestore.js'
import { planContainers } from '../../topology/planContainers.js'
import { echoPods, planEchoServers, type EchoPod } from '../../topology/planEchoServers.js'
import { planHealthServers } from '../../topology/healthServer.js'
import type { IpFamily } from '../../net/ipFamily.js'
import { rulesOfAgents } from '../../agents/agents.js'
import { hostPortSysctls } from '../../agents/hostPorts.js'
import { agentNode } from '../../topology/agentNode.js'
import { networkOf } from '../../topology/networkOf.js'
import {
  planAddresses,
  planForwarding,
  planLinks,
  planNamespaces,
  planOverlay,
} from '../../topology/planLinks.js'
import { planNft } from './planNft.js'
import { planRules } from '../../topology/planRules.js'
import { planSets } from '../../topology/planSets.js'
import { planNodeSysctls, planSysctls } from '../../topology/planSysctls.js'
import type { NodePlace, Plan, PlannedStage, Stage } from '../../topology/types.js'
import { nodeSysctls } from '../../topology/sysctls.js'
import { balancerStages } from '../balancers/index.js'
import { outsideProcess } from '../dns/outsideDns.js'
import { dnsAround, planDns } from '../dns/dnsLaunch.js'
import { planIngress } from '../ingress/planIngress.js'
import { modeOnNodes } from '../../snapshot/model/kubeProxy.js'
import { planKubeProxies } from './kubeProxyBinary.js'
import type { PlanFacts } from './planFacts.js'
import { commandContainers, planFiles } from '../../topology/placeFiles.js'
import type { PreparedLab } from './prepareLab.js'
import { firstHealthServers, proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import { inputOfNode } from '../../agents/kubeProxy/input.js'
import { withhold } from '../../agents/kubeProxy/iptables/withheld.js'
import { withholdNft } from '../../agents/kubeProxy/nftables/withheld.js'
import { stagesOf } from './modes/index.js'

/**
 * Every operation that starts a lab. Custom kube-proxy binaries write their own rules and sysctls; the plan then contains
 * only those of the CNI plugin and kubelet.
 */
export function planLab(prepared: PreparedLab, facts: PlanFacts, first = firstStages(prepared)): Plan {
  const { cluster, topology, kubeProxy } = prepared
  const proxies = planProxies(prepared, facts)
  const written = (node: NodePlace, family: IpFamily) =>
    rulesOfAgents(
      cluster,
      {
        ...agentNode(topology, node, modeOnNodes(kubeProxy), proxies?.proxied(node.name)),
        saved: kubeProxy.kind === 'none' ? kubeProxy.saved?.[node.name] : undefined,
      },
      family,
    )
  const network = networkOf(topology)
  const overlay = topology.network.mode === 'vxlan'
  const links = oneAfterAnother(first.slice(-1), [
    planLinks(network),
    ...(overlay ? [planOverlay(network)] : []),
    ...(proxies?.before ?? []),
    planSets(topology.nodes, (node) =>
      topology.families.map((family) => written(node, family).sets).join(''),
    ),
  ])
  const contents = allAfter(links.slice(-1), [
    planAddresses(network),
    planNodeSysctls(topology.nodes, (node) => ({
      ...nodeSysctls(topology.families),
      ...hostPortSysctls(cluster, node),
      ...proxies?.sysctls(node),
    })),
    planRules(
      topology.nodes,
      topology.families,
      facts.restore,
      proxies?.nfacctObjects ?? [],
      (node, family) => {
        const { restore } = written(node, family)
        const text = mergeTables(withhold(restore, facts.withheld, { node: node.name, family }))
        return facts.commits === undefined ? text : splitRestore(text, facts.commits)
      },
    ),
    planNft(topology.nodes, topology.families, (node, family) => {
      const text = withholdNft(written(node, family).native(), facts.withheld, { node: node.name, family })
      return facts.splitNft === true ? splitNft(text) : [text]
    }),
    ...(proxies?.beside ?? []),
    planEchoServers(
      [...echoPods(cluster, topology.places), ...echoClients(prepared)],
      topology.families,
      facts.nginx,
    ),
    planHealthServers(topology.nodes, (node) => proxies?.healthServers(node) ?? []),
    ...(overlay ? [planForwarding(network)] : []),
    planFiles(cluster, topology.places, prepared.dns?.around),
    ...(prepared.dns === undefined ? [] : [planDns(cluster, dnsAround(prepared, prepared.dns))]),
  ])
  const proxying = oneAfterAnother(contents, [
    ...balancerStages(prepared, modeOnNodes(kubeProxy)),
    ...(kubeProxy.kind === 'binary' ? [planKubeProxies(prepared, kubeProxy)] : []),
  ])
  const served = [...first, ...(proxying.length === 0 ? contents : proxying.slice(-1))]
  const processes = hasProcesses(prepared) ? allAfter(served, [planProcesses(prepared)]) : []
  return { stages: [...first, ...links, ...contents, ...proxying, ...processes] }
}

/** The stages that do not depend on the host; links wait for the last one. */
export function firstStages({ cluster, lab, topology }: PreparedLab): PlannedStage[] {
  return [
    ...planIngress(lab, cluster),
    ...oneAfterAnother([], [planNamespaces(topology), planSysctls(topology)]),
  ]
}

/** The hosts outside the cluster that serve. */
function echoClients({ lab, topology }: PreparedLab): EchoPod[] {
  return lab.clients.flatMap(({ name, serves = [] }) => {
    const place = topology.clients.find((client) => client.name === name)
    const ports = [...new Set(serves)].map((port) => ({ port, protocol: 'TCP' as const }))
    return place === undefined ? [] : [{ place, ports }]
  })
}

/** True when containers run their own commands, which may send packets at any time. */
export function hasProcesses({ cluster, topology }: PreparedLab): boolean {
  return commandContainers(cluster, topology.places).length > 0
}

function planProcesses({ cluster, topology, dns }: PreparedLab): Stage {
  const containers = planContainers(commandContainers(cluster, topology.places))
  const outside = dns?.outside === undefined ? [] : [outsideProcess(dns.outside)]
  return { ...containers, processes: [...(containers.processes ?? []), ...outside] }
}

/** Each stage after the one before it, the first after these. */
function oneAfterAnother(waitsFor: readonly Stage[], stages: readonly Stage[]): PlannedStage[] {
  const planned: PlannedStage[] = []
  for (const stage of stages)
    planned.push(...allAfter(planned.length === 0 ? waitsFor : planned.slice(-1), [stage]))
  return planned
}

/** Stages that wait for these and not for each other, without empty ones. */
function allAfter(waitsFor: readonly Stage[], stages: readonly Stage[]): PlannedStage[] {
  const after = waitsFor.map(({ name }) => name)
  return stages.filter(doesSomething).map((stage) => ({ ...stage, after }))
}

function doesSomething({ files, commands, processes = [] }: Stage): boolean {
  return files.length + processes.length > 0 || commands.some(({ each }) => each?.length !== 0)
}

/** What the kube-proxies of a lab add to its plan; undefined if they are not built in. */
function planProxies(prepared: PreparedLab, facts: PlanFacts) {
  const { kubeProxy, topology } = prepared
  if (kubeProxy.kind !== 'built-in') return undefined
  const { mode, config } = kubeProxy
  const { healthz = false } = facts
  const inputs = proxyInputs(prepared, config, facts)
  const inputOf = (node: string) => inputOfNode(inputs, node)
  return {
    ...stagesOf[mode.name]({ topology, inputOf }),
    nfacctObjects: facts.nfacct ? mode.nfacctObjects : [],
    sysctls: (node: string) => mode.sysctls(inputOf(node)),
    proxied: (node: string) => ({ mode, input: inputOf(node) }),
    healthServers: (node: string) => firstHealthServers(prepared, inputOf(node), healthz),
  }
}
