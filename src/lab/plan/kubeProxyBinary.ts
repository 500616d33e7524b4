import { stringify } from 'yaml'
import { kubeconfig } from '../../apiserver/kubeconfig.js'
import { kubeconfigPath } from '../../host/kubeProxy/apiAddress.js'
import type { NodePlace, SandboxFile, Stage } from '../../topology/types.js'
import { kubeApiUrl } from './kubeApiAddress.js'
import type { KubeProxyBinary } from '../../snapshot/model/kubeProxy.js'
import type { PreparedLab } from './prepareLab.js'

const folder = '/run/vethlab/kube-proxy'

/**
 * The time between two syncs of kube-proxy by default. Its own default, one second, would only delay the start: the first
 * sync is often followed by another, and each resets counters to zero.
 */
export const minSyncPeriodSeconds = 0.1

/** Name of the stage that starts the kube-proxies of a lab that runs a binary. */
export const kubeProxyStage = 'kube-proxy of the nodes'

/** One process of a kube-proxy binary on each node, with the two files that it reads. */
export function planKubeProxies(prepared: PreparedLab, kubeProxy: KubeProxyBinary): Stage {
  const { lab, topology } = prepared
  return {
    name: kubeProxyStage,
    files: [
      { path: kubeconfigPath, text: kubeconfig(kubeApiUrl(prepared), lab.name) },
      ...topology.nodes.map((node) => configurationFile(prepared, kubeProxy, node)),
    ],
    commands: [],
    processes: topology.nodes.map((node) => ({
      what: `kube-proxy of ${node.name}`,
      netns: node.netns,
      argv: [kubeProxy.path, '--config', configPath(node)],
      env: {
        // an HTTP proxy of the host is not reachable from the sandbox
        ...{ NO_PROXY: '*', no_proxy: '*' },
        // the nodes share a /run here, and would wait for each other's iptables
        XTABLES_LOCKFILE: `${folder}/${node.netns}.lock`,
      },
      listensOn: [],
      log: `${folder}/${node.netns}.log`,
    })),
  }
}

/** The file that a node's kube-proxy reads. */
export function configurationFile(
  prepared: PreparedLab,
  kubeProxy: KubeProxyBinary,
  node: NodePlace,
): SandboxFile {
  return { path: configPath(node), text: configuration(prepared, kubeProxy, node.name) }
}

/**
 * The lab's fields, and those without which kube-proxy would not start in a namespace or would change the host: conntrack
 * limits and the OOM score are settings of the host, and kube-proxy exits if it cannot set them.
 */
function configuration(
  { lab, topology }: PreparedLab,
  { mode, fields, version }: KubeProxyBinary,
  node: string,
): string {
  const { gate } = mode
  const isNeeded = gate !== undefined && version !== undefined && version <= gate.to
  const gates = isNeeded ? { [gate.name]: true } : undefined
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clusterCIDR: lab.families.map((family) => topology.ranges.pods[family]).join(','),
    oomScoreAdj: 0,
    ...fields,
    ...(gates === undefined ? {} : { featureGates: { ...gates, ...section(fields, 'featureGates') } }),
    mode: mode.name,
    hostnameOverride: node,
    clientConnection: { ...section(fields, 'clientConnection'), kubeconfig: kubeconfigPath },
    conntrack: { ...section(fields, 'conntrack'), maxPerCore: 0, min: 0 },
    [mode.name]: { minSyncPeriod: `${minSyncPeriodSeconds}s`, ...section(fields, mode.name) },
  })
}

/** A section of the fields that a lab sets; empty if it sets none. */
export function section(
  given: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = given[name]
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function configPath(node: NodePlace): string {
  return `${folder}/${node.netns}.yaml`
}
