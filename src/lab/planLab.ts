import { echoPorts } from '../cluster/echoPorts.js'
import { ServiceIndex } from '../cluster/labelIndex.js'
import type { Cluster, IpFamily, Node } from '../cluster/types.js'
import { splitRestore } from '../netfilter/splitRestore.js'
import { buildRuleset } from '../proxy/iptables/ruleset.js'
import { renderFullRestore } from '../proxy/iptables/restore.js'
import { renderTable } from '../proxy/nftables/render.js'
import { buildTable } from '../proxy/nftables/table.js'
import { ipvsRules, planIpvsServers } from './ipvs.js'
import { portalRules, planPortals } from './portals.js'
import { withhold, type WithheldRule } from '../proxy/iptables/withheld.js'
import { withholdNft } from '../proxy/nftables/withheld.js'
import type { ProxyInput } from '../proxy/input.js'
import { healthServers, healthyNode, type HealthServer } from '../proxy/nodeHealth.js'
import { ipvsSysctls, kubeProxySysctls } from '../proxy/sysctls.js'
import type { NginxPaths } from '../topology/echoServer.js'
import { planContainers } from '../topology/planContainers.js'
import { planEchoServers, type EchoPod } from '../topology/planEchoServers.js'
import { planHealthServers } from '../topology/healthServer.js'
import { cniRules, hostPortSysctls } from '../topology/cniRules.js'
import { planForwarding, planOverlay, tunnelEnd } from '../topology/overlay.js'
import { planAddresses, planLinks, planNamespaces } from '../topology/planLinks.js'
import { planNftRules } from '../topology/planNftRules.js'
import { planRules, type RestorePrograms } from '../topology/planRules.js'
import { planNodeSysctls, planSysctls } from '../topology/planSysctls.js'
import type { Topology } from '../topology/layOut.js'
import { nodeSysctls, type Sysctls } from '../topology/sysctls.js'
import type { Place, Plan, Stage } from '../topology/types.js'
import { balancerStages } from './balancers/index.js'
import { outsideProcess } from './dns/outsideDns.js'
import { dnsAround, planDns } from './dns/dnsLaunch.js'
import { kubeProxyStage } from './kubeProxyBinary.js'
import { commandContainers, planFiles } from './placeFiles.js'
import { podPlaces } from './podPlaces.js'
import type { PreparedLab } from './prepareLab.js'

/** What a plan has to know of the machine. */
export interface PlanFacts {
  readonly restore: RestorePrograms
  readonly nginx: NginxPaths
  readonly nfacct: boolean
  readonly randomFully: boolean
  /** Whether a text may be too much for one commit; see `splitRestore`. */
  readonly splitRules?: boolean | undefined
  /** Whether kube-proxy's /healthz is served even where no Service asks for health checks: in labs that stay. */
  readonly healthz?: boolean | undefined
  /** A rule to leave out. */
  readonly withheld?: WithheldRule | undefined
}

/**
 * Every operation that brings a lab up, in order; what does not wait for each other runs at once. Where kube-proxies of
 * one's own run, rules and sysctls are theirs to write, but for what a CNI plugin and kubelet leave.
 */
export function planLab(
  prepared: PreparedLab,
  facts: PlanFacts,
  kubeProxies: Stage | undefined = kubeProxyStage(prepared),
): Plan {
  const { cluster, topology } = prepared
  const builtIn = kubeProxies === undefined && hasKubeProxy(prepared)
  const mode = builtIn ? prepared.config.mode : undefined
  const inputOf = (node: string) => proxyInput(prepared, node, facts)
  const overlay = topology.network.mode === 'vxlan'
  const stages = [
    ...firstStages(topology),
    planLinks(topology),
    ...(overlay ? [planOverlay(topology)] : []),
    ...(mode === 'ipvs' ? [planIpvsServers(topology, inputOf)] : []),
    together('addresses, sysctls, rules and echo servers', [
      planAddresses(topology),
      planNodeSysctls(topology.nodes, (node) => ({
        ...nodeSysctls(topology.families),
        ...hostPortSysctls(cluster, node),
        ...(mode === undefined ? {} : sysctlsOf(inputOf(node))),
      })),
      planRules(
        topology.nodes,
        ruleFamilies(prepared),
        facts.restore,
        mode === 'iptables' && facts.nfacct,
        (node, family) =>
          cniRules(cluster, topology, node, family) +
          (mode === undefined ? '' : restoreText(prepared, node, family, facts)),
      ),
      ...(mode === 'nftables'
        ? [
            planNftRules(topology.nodes, ruleFamilies(prepared), (node, family) =>
              withholdNft(renderTable(buildTable(inputOf(node), family)), facts.withheld, { node, family }),
            ),
          ]
        : []),
      ...(mode === 'userspace' ? [planPortals(topology, inputOf)] : []),
      planEchoServers(
        [...echoPods(cluster, topology.places), ...echoClients(prepared)],
        topology.families,
        facts.nginx,
      ),
      planHealthServers(topology.nodes, (node) =>
        builtIn ? firstHealthServers(prepared, inputOf(node), facts.healthz === true) : [],
      ),
      ...(overlay ? [planForwarding(topology)] : []),
      planFiles(cluster, topology.places, prepared.dns?.around),
      ...(prepared.dns === undefined ? [] : [planDns(cluster, dnsAround(prepared, prepared.dns))]),
    ]),
    ...balancerStages(prepared, prepared.config.mode),
    ...(kubeProxies === undefined ? [] : [kubeProxies]),
    ...(hasProcesses(prepared) ? [planProcesses(prepared)] : []),
  ]
  return { stages }
}

/** The stages that need to know nothing of the machine. */
export function firstStages(topology: Topology): Stage[] {
  return [planNamespaces(topology), planSysctls(topology)]
}

/** Whether the nodes have a kube-proxy at all, built in or of one's own. */
export function hasKubeProxy({ lab }: PreparedLab): boolean {
  return lab.kubeProxy !== false
}

/** The health checks that a node answers when the lab comes up; with `always`, at least kube-proxy's own. */
export function firstHealthServers(
  { topology }: PreparedLab,
  input: ProxyInput,
  always: boolean,
): readonly HealthServer[] {
  return healthServers(input, topology.families, { ...healthyNode, always })
}

/** What kube-proxy has iptables-restore load on a node in its mode. */
function restoreText(prepared: PreparedLab, node: string, family: IpFamily, facts: PlanFacts): string {
  const input = proxyInput(prepared, node, facts)
  const whole = wholeText(input, family)
  const text = withhold(whole, facts.withheld, { node, family })
  return facts.splitRules === true ? splitRestore(text) : text
}

function wholeText(input: ProxyInput, family: IpFamily): string {
  switch (input.config.mode) {
    case 'iptables':
      return renderFullRestore(buildRuleset(input, family))
    case 'ipvs':
      return ipvsRules(input, family)
    case 'userspace':
      return portalRules(input, family)
    case 'nftables':
      return ''
  }
}

function sysctlsOf(input: ProxyInput): Sysctls {
  return input.config.mode === 'ipvs' ? ipvsSysctls(input) : kubeProxySysctls(input)
}

/** What the kube-proxy of one node of the lab sees. */
export function proxyInput(
  { cluster, config, topology }: PreparedLab,
  node: string,
  facts: Pick<PlanFacts, 'nfacct' | 'randomFully'>,
): ProxyInput {
  const object = cluster.nodes.find(({ metadata }) => metadata.name === node) as Node
  const place = topology.nodes.find(({ name }) => name === node)
  const interfaces = [...(place?.addresses ?? []), ...(place?.podRanges ?? []).map(({ gateway }) => gateway)]
  const tunnelEnds = topology.network.mode === 'vxlan' ? (place?.podRanges ?? []).map(tunnelEnd) : []
  return {
    services: cluster.services,
    endpointSlices: cluster.endpointSlices,
    node: object,
    config,
    nfacct: facts.nfacct,
    randomFully: facts.randomFully,
    localAddresses: ['127.0.0.1', '::1', ...interfaces.map(({ address }) => address), ...tunnelEnds],
    serviceCIDRs: topology.families.map((family) => topology.ranges.services[family]),
  }
}

/** kube-proxy writes its base chains for both families wherever the kernel has both; a lab only for those it uses. */
function ruleFamilies({ topology }: PreparedLab): readonly IpFamily[] {
  return topology.families
}

/** The pods among these places that have an echo server, and its ports. */
export function echoPods(cluster: Cluster, places: readonly Place[]): EchoPod[] {
  const services = new ServiceIndex(cluster.services)
  return podPlaces(cluster, places).map(({ pod, place }) => ({
    place,
    ports: echoPorts(pod, cluster, services),
  }))
}

/** The hosts outside the cluster that serve. */
function echoClients({ lab, topology }: PreparedLab): EchoPod[] {
  return lab.clients.flatMap(({ name, serves = [] }) => {
    const place = topology.clients.find((client) => client.name === name)
    const ports = [...new Set(serves)].map((port) => ({ port, protocol: 'TCP' as const }))
    return place === undefined ? [] : [{ place, ports }]
  })
}

/** True when containers run commands of their own, which may send packets whenever they like. */
export function hasProcesses({ cluster, topology }: PreparedLab): boolean {
  return commandContainers(cluster, topology.places).length > 0
}

function planProcesses({ cluster, topology, dns }: PreparedLab): Stage {
  const containers = planContainers(commandContainers(cluster, topology.places))
  const outside = dns?.outside === undefined ? [] : [outsideProcess(dns.outside)]
  return { ...containers, processes: [...(containers.processes ?? []), ...outside] }
}

/** Stages that do not wait for each other, as one. */
function together(title: string, stages: readonly Stage[]): Stage {
  return {
    title,
    files: stages.flatMap(({ files }) => files),
    commands: stages.flatMap(({ commands }) => commands),
    processes: stages.flatMap(({ processes = [] }) => processes),
  }
}
