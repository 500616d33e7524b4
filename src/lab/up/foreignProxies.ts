import { isNodeReady } from '../../cluster/nodeStatus.js'
import type { Cluster } from '../../cluster/types.js'
import { InputError } from '../../errors.js'
import type { RunningKubeProxies } from '../../host/kubeProxy/startKubeProxies.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import { endpointsMap } from '../../agents/kubeProxy/endpoints.js'
import { inputOfNode, type ProxyInput } from '../../agents/kubeProxy/input.js'
import type { NodePlace } from '../../topology/types.js'
import { watchedBy, type KubeProxyBinary } from '../../snapshot/model/kubeProxy.js'
import { labKubeProxy } from '../plan/kubeProxyConfig.js'
import { configurationFile } from '../plan/kubeProxyBinary.js'
import { proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { kubeProxyReadiness } from './kubeProxyReadiness.js'
import type { StartOptions } from './startOptions.js'

/** The kube-proxy binaries of a running lab, which follow its cluster by themselves. */
export interface ForeignProxies {
  /**
   * Resolves when the rules of every node follow a cluster that the API serves since `sinceMs`, as far as metrics show it. Nodes
   * that are not ready get no news, and are awaited when they return.
   */
  update(cluster: Cluster, sinceMs: number): Promise<void>
  /** Restarts the kube-proxy of a node, with the configuration of now. Throws InputError if that is invalid. */
  restart(node: string): Promise<void>
  /** As those of `Proxiers`. */
  changedConfigs(): Readonly<Record<string, KubeProxyConfiguration>>
}

/** The endpoints that make a sync delete conntrack entries, also where no rule changes: those that terminate have none. */
function udpEndpoints({ endpointSlices, node }: ProxyInput, family: IpFamily): string {
  const endpoints = [...endpointsMap(endpointSlices, family, node.metadata.name)]
  return JSON.stringify(endpoints.filter(([servicePort]) => servicePort.endsWith('/UDP')))
}

/** Follows the kube-proxies that a lab's plan started. */
export function foreignProxies(
  prepared: PreparedLab,
  kubeProxy: KubeProxyBinary,
  running: RunningKubeProxies,
  { kubeProxyPatienceMs }: Pick<StartOptions, 'kubeProxyPatienceMs'>,
): ForeignProxies {
  const { topology } = prepared
  let latest = prepared.cluster
  const changed = new Map<string, KubeProxyConfiguration>()
  const inputOf = (cluster: Cluster, node: NodePlace, { config }: KubeProxyBinary): ProxyInput => {
    // kube-proxy keeps its last known state of a deleted Node
    const nodes = [...cluster.nodes, ...prepared.cluster.nodes]
    const facts = { nfacct: false, randomFully: true }
    return inputOfNode(
      proxyInputs({ cluster: { ...watchedBy(kubeProxy, cluster), nodes }, topology }, config, facts),
      node.name,
    )
  }
  const writtenFor = (cluster: Cluster, node: NodePlace) =>
    new Map(
      topology.families.map((family) => {
        const input = inputOf(cluster, node, kubeProxy)
        return [family, `${kubeProxy.mode.render(input, family)}\n${udpEndpoints(input, family)}`] as const
      }),
    )
  const known = new Map(topology.nodes.map((node) => [node, writtenFor(prepared.cluster, node)]))

  const follow = async (node: NodePlace, sinceMs: number) => {
    const object = latest.nodes.find(({ metadata }) => metadata.name === node.name)
    if (object !== undefined && !isNodeReady(object)) return
    const before: ReadonlyMap<IpFamily, string> = known.get(node) ?? new Map<IpFamily, string>()
    const now = writtenFor(latest, node)
    known.set(node, now)
    const families = topology.families.filter((family) => now.get(family) !== before.get(family))
    if (families.length > 0) await running.synced(node.netns, { families, sinceMs })
  }
  return {
    async update(cluster, sinceMs) {
      const isOther =
        cluster.services !== latest.services ||
        cluster.endpointSlices !== latest.endpointSlices ||
        cluster.nodes !== latest.nodes
      latest = cluster
      if (isOther) await Promise.all(topology.nodes.map((node) => follow(node, sinceMs)))
    },
    async restart(name) {
      const node = topology.nodes.find((one) => one.name === name)
      if (node === undefined) return
      const configured = labKubeProxy(prepared.lab, latest, kubeProxy.path)
      if (configured.kind !== 'binary') return
      const next = { ...configured, version: kubeProxy.version }
      if (next.mode !== kubeProxy.mode)
        throw new InputError([
          { message: `a running lab keeps its mode, ${kubeProxy.mode.name}`, hint: 'stop it first' },
        ])
      const input = inputOf(latest, node, next)
      const readiness = kubeProxyReadiness(next, topology.families, input, kubeProxyPatienceMs)
      await running.restart(node.netns, [configurationFile(prepared, next, node)], readiness)
      changed.set(name, { ...next.config, version: kubeProxy.config.version })
    },
    changedConfigs: () => Object.fromEntries(changed),
  }
}
