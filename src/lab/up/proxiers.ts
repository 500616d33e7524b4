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
import type { KubeProxyConfiguration } from '../../proxy/config.js'
import { inputOfNode, type ProxyInput } from '../../proxy/input.js'
import { healthServers, healthyNode } from '../../proxy/nodeHealth.js'
import { withhold, type WithheldRule } from '../../proxy/iptables/withheld.js'
import { withholdNft } from '../../proxy/nftables/withheld.js'
import type { SyncReport } from '../../proxy/syncReport.js'
import type { NodePlace } from '../../topology/types.js'
import { kubeProxyConfiguration } from '../plan/kubeProxyConfig.js'
import type { BuiltInKubeProxy } from '../plan/kubeProxy.js'
import { firstHealthServers, proxyInputs } from '../plan/planProxies.js'
import type { PreparedLab } from '../plan/prepareLab.js'

/** The built-in kube-proxies of a lab that is up, one for each node and family. */
export interface Proxiers {
  /** Brings every node's rules, conntrack entries and health checks to what the cluster asks for. */
  update(cluster: Cluster): Promise<readonly SyncReport[]>
  /** Looks now whether somebody flushed rules, as is done every syncPeriod anyway; the syncs that it took. */
  check(): Promise<readonly SyncReport[]>
  /**
   * Ends the kube-proxy of a node and starts it anew: it reads its configuration again, and its first sync is full. Throws
   * InputError, with the old one going on, when it would not start with that configuration.
   */
  restart(node: string): Promise<void>
  /** The configurations of nodes whose kube-proxy was started anew with another than at first. */
  changedConfigs(): Readonly<Record<string, KubeProxyConfiguration>>
  /** Throws SandboxError where the process of a kube-proxy has ended; most modes have none. */
  checkProcesses(): void
  /** Stops looking; what stands, stays. */
  stop(): void
}

export interface ProxiersParts {
  readonly prepared: PreparedLab
  readonly kubeProxy: BuiltInKubeProxy
  readonly sandbox: Sandbox
  readonly machine: Machine
  /** Whether /healthz is served even where no Service asks for health checks; as the plan was told. */
  readonly healthz: boolean
  /** A rule that is never written. */
  readonly withheld?: WithheldRule | undefined
  /** Told of every sync that wrote or tried to, also of those that nobody asked for. */
  readonly onSync?: ((report: SyncReport) => void) | undefined
}

/** The kube-proxy of one node. */
interface NodeProxier {
  readonly name: string
  proxiers: ReadonlyMap<IpFamily, Proxier>
  /** Starts the kube-proxy anew. */
  readonly renew: () => ReadonlyMap<IpFamily, Proxier>
  readonly health: HealthServers
  /** The process of its portals, in the mode that has some. */
  readonly portals: NodePortals | undefined
  input: ProxyInput
  deleted: boolean
}

/** Takes over the rules and health servers that the lab's plan made, and starts looking after them. */
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
  const lookLater = () => {
    timer = setTimeout(() => void look(), config[kubeProxy.mode.section].syncPeriod * 1000).unref()
  }
  const look = async () => {
    try {
      await check()
    } catch (error) {
      // the sandbox may be going down just now; whatever else is wrong, the next look finds it too
      if (!isKnownError(error)) throw error
    }
    if (timer !== undefined) lookLater()
  }
  lookLater()
  return {
    check,
    update(cluster) {
      latest = cluster
      for (const node of nodes) {
        const object = cluster.nodes.find(({ metadata }) => metadata.name === node.name)
        const { services, endpointSlices } = cluster
        // kube-proxy goes on with what it knows of a Node that is deleted
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
          { message: `a lab that is up keeps its mode, ${kubeProxy.mode.name}`, hint: 'take it down first' },
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
    // the first sync of a new one is full: it knows nothing of what stands
    renew: () => proxiers(node.input, false),
    health: healthServersOf(sandbox, netns, firstHealthServers(prepared, input, healthz)),
  }
  return node
}

/** A lab that is silent on minSyncPeriod gets none: its steps would only wait for the next sync, up to a second each. */
function labConfiguration(
  { fields, mode: { section } }: BuiltInKubeProxy,
  config: KubeProxyConfiguration,
): KubeProxyConfiguration {
  const given = fields[section]
  const told = typeof given === 'object' && given !== null && 'minSyncPeriod' in given
  return told ? config : { ...config, [section]: { ...config[section], minSyncPeriod: 0 } }
}
