import type { IpFamily } from '../../net/ipFamily.js'
import type { Cluster } from '../../cluster/types.js'
import { InputError, isKnownError } from '../../errors.js'
import type { Machine } from '../../host/machine.js'
import { healthServersOf, type HealthServers } from '../../host/proxier/healthServers.js'
import { nodeTables } from '../../host/proxier/nodeTables.js'
import { createProxier, liveModeOf } from '../../host/proxier/liveModes.js'
import type { Proxier } from '../../host/proxier/proxier.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import type { NodePortals } from '../../host/userspace/nodePortals.js'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import { inputOfNode, type ProxyInput } from '../../agents/kubeProxy/input.js'
import { healthServers, healthyNode } from '../../agents/kubeProxy/nodeHealth.js'
import { withhold, type WithheldRule } from '../../agents/kubeProxy/iptables/withheld.js'
import { withholdNft } from '../../agents/kubeProxy/nftables/withheld.js'
import type { SyncReport } from '../../agents/kubeProxy/syncReport.js'
import type { NodePlace } from '../../topology/types.js'
import { kubeProxyConfiguration } from '../plan/kubeProxyConfig.js'
import type { BuiltInKubeProxy } from '../../snapshot/model/kubeProxy.js'
import { firstHealthServers, proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import type { PreparedLab } from '../plan/prepareLab.js'

/** The built-in kube-proxies of a running lab, one for each node and family. */
export interface Proxiers {
  /** Updates every node's rules, conntrack entries and health checks to the cluster. */
  update(cluster: Cluster): Promise<readonly SyncReport[]>
  /** Checks now whether rules were flushed, as every syncPeriod anyway; returns the syncs that were needed. */
  check(): Promise<readonly SyncReport[]>
  /**
   * Restarts the kube-proxy of a node: it reads its configuration again, and its first sync is full. Throws InputError,
   * while the old one keeps running, when the configuration is invalid or has another mode.
   */
  restart(node: string): Promise<void>
  /** The configurations of nodes whose kube-proxy was restarted with a changed configuration. */
  changedConfigs(): Readonly<Record<string, KubeProxyConfiguration>>
  /** Throws SandboxError when the process of a kube-proxy has ended; most modes have no process. */
  checkProcesses(): void
  /** Stops the periodic checks; rules stay. */
  stop(): void
}

export interface ProxiersParts {
  readonly prepared: PreparedLab
  readonly kubeProxy: BuiltInKubeProxy
  readonly sandbox: Sandbox
  readonly machine: Machine
  /** Whether /healthz is served even if no Service needs health checks; the same as in the plan. */
  readonly healthz: boolean
  /** A rule that is never written. */
  readonly withheld?: WithheldRule | undefined
  /** Called after every sync that wrote rules or failed to, periodic ones too. */
  readonly onSync?: ((report: SyncReport) => void) | undefined
}

/** The kube-proxy of one node. */
interface NodeProxier {
  readonly name: string
  proxiers: ReadonlyMap<IpFamily, Proxier>
  /** Creates its proxiers again, with the current input. */
  readonly renew: () => ReadonlyMap<IpFamily, Proxier>
  readonly health: HealthServers
  /** The process of its portals, in mode userspace. */
  readonly portals: NodePortals | undefined
  input: ProxyInput
  deleted: boolean
}

/** Takes over the rules and health servers that the lab's plan created, and checks them periodically. */
export function startProxiers(parts: ProxiersParts): Proxiers {
  const { prepared, kubeProxy, healthz } = parts
  const { families, nodes: places } = prepared.topology
  const config = labConfiguration(kubeProxy, kubeProxy.config)
  let latest = prepared.cluster
  const nodes = places.map((place) => adoptNode(parts, place, config))

  const serveHealth = (node: NodeProxier) => {
    const healthy = { ...healthyNode.healthy }
    for (const [family, proxier] of node.proxiers) healthy[family] = proxier.healthy()
    return node.health.serve(
      healthServers(node.input, families, { healthy, deleted: node.deleted, always: healthz }),
    )
  }
  const onEach = async (
    ask: (proxier: Proxier, node: NodeProxier) => Promise<SyncReport | undefined>,
  ): Promise<readonly SyncReport[]> => {
    const reports = await Promise.all(
      nodes.map(async (node) => {
        const own = await Promise.all([...node.proxiers.values()].map((proxier) => ask(proxier, node)))
        await serveHealth(node)
        return own
      }),
    )
    return reports.flat().filter((report) => report !== undefined)
  }
  const check = () => onEach((proxier) => proxier.check())
  let timer: NodeJS.Timeout | undefined
  const checkLater = () => {
    timer = setTimeout(() => void checkNow(), config[kubeProxy.mode.section].syncPeriod * 1000).unref()
  }
  const checkNow = async () => {
    try {
      await check()
    } catch (error) {
      // the sandbox may be stopping; the next check finds any other error again
      if (!isKnownError(error)) throw error
    }
    if (timer !== undefined) checkLater()
  }
  checkLater()
  return {
    check,
    update(cluster) {
      latest = cluster
      for (const node of nodes) {
        const object = cluster.nodes.find(({ metadata }) => metadata.name === node.name)
        const { services, endpointSlices } = cluster
        // kube-proxy keeps its last known state of a deleted Node
        node.input = { ...node.input, services, endpointSlices, node: object ?? node.input.node }
        node.deleted = object === undefined
      }
      return onEach((proxier, node) => proxier.sync(node.input))
    },
    async restart(name) {
      const node = nodes.find((one) => one.name === name)
      if (node === undefined) return
      const config = labConfiguration(kubeProxy, kubeProxyConfiguration(prepared.lab, latest))
      if (config.mode !== kubeProxy.mode.name)
        throw new InputError([
          { message: `a running lab keeps its mode, ${kubeProxy.mode.name}`, hint: 'stop it first' },
        ])
      node.input = { ...node.input, config }
      for (const proxier of node.proxiers.values()) proxier.stop()
      await node.portals?.restart()
      node.proxiers = node.renew()
      await Promise.all([...node.proxiers.values()].map((proxier) => proxier.sync(node.input)))
      await serveHealth(node)
    },
    changedConfigs: () =>
      Object.fromEntries(
        nodes
          .filter(({ input }) => JSON.stringify(input.config) !== JSON.stringify(config))
          .map(({ name, input }) => [name, input.config]),
      ),
    checkProcesses() {
      for (const { portals } of nodes) portals?.check()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      for (const { proxiers } of nodes) for (const proxier of proxiers.values()) proxier.stop()
    },
  }
}

function adoptNode(
  { prepared, sandbox, machine, healthz, withheld, onSync }: ProxiersParts,
  { name, netns }: NodePlace,
  config: KubeProxyConfiguration,
): NodeProxier {
  const { iptables, nfacct } = machine
  const facts = { nfacct, randomFully: iptables.randomFully }
  const input = inputOfNode(proxyInputs(prepared, config, facts), name)
  const portals = liveModeOf(config.mode).nodeProcess(sandbox, { name, netns })
  const proxiers = (input: ProxyInput, adopt: boolean): ReadonlyMap<IpFamily, Proxier> => {
    const proxier = (family: IpFamily) => {
      const whole = nodeTables(sandbox, iptables, netns, family)
      const tables = {
        ...whole,
        restore: (text: string) => whole.restore(withhold(text, withheld, { node: name, family })),
        applyNft: (text: string) => whole.applyNft(withholdNft(text, withheld, { node: name, family })),
      }
      return createProxier({ node: name, family, tables, input, adopt, portals, onSync })
    }
    return new Map(prepared.topology.families.map((family) => [family, proxier(family)]))
  }
  const node: NodeProxier = {
    name,
    input,
    portals,
    deleted: false,
    proxiers: proxiers(input, true),
    // the first sync of a new one is full: it does not know the rules that exist
    renew: () => proxiers(node.input, false),
    health: healthServersOf(sandbox, netns, firstHealthServers(prepared, input, healthz)),
  }
  return node
}

/** A lab that does not set minSyncPeriod gets 0: its steps would only wait for the next sync, up to a second each. */
function labConfiguration(
  { fields, mode: { section } }: BuiltInKubeProxy,
  config: KubeProxyConfiguration,
): KubeProxyConfiguration {
  const given = fields[section]
  const isSet = typeof given === 'object' && given !== null && 'minSyncPeriod' in given
  return isSet ? config : { ...config, [section]: { ...config[section], minSyncPeriod: 0 } }
}
