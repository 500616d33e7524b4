import { InputError } from '../errors.js'
import { stringify } from 'yaml'
import { kubeconfig } from '../apiserver/kubeconfig.js'
import { kubeconfigPath } from '../host/kubeProxy/apiProcess.js'
import { frontendsOf } from '../host/kubeProxy/frontends.js'
import type { Readiness } from '../host/kubeProxy/untilReady.js'
import { builtInModes, type ShippedMode } from '../proxy/config.js'
import { parseDuration } from '../proxy/duration.js'
import type { ProxyInput } from '../proxy/input.js'
import type { NodePlace } from '../topology/layOut.js'
import type { Stage } from '../topology/types.js'
import { kubeApiUrl } from './kubeApi.js'
import type { PreparedLab } from './prepareLab.js'

const folder = '/run/vethlab/kube-proxy'

/** A real kube-proxy is up after one to ten seconds; some of its own retries take thirty. */
export const kubeProxyPatienceMs = 60_000

/** At least this long without a sync before the steps begin. */
const quietMs = 150

/**
 * What kube-proxy waits between two syncs unless the lab says. Its own second would only make the lab start later: the
 * first sync is often followed by another, and each sets counters to nought.
 */
const minSyncPeriod = '0.1s'

/** The kube-proxies of the binary that the lab or the caller names; undefined where the built-in rules are to stand. */
export function kubeProxyStage(
  prepared: PreparedLab,
  binary: string | undefined = prepared.lab.kubeProxyBinary,
): Stage | undefined {
  if (binary !== undefined) {
    refuseWithout(prepared)
    shippedMode(prepared)
    return planKubeProxies(prepared, binary)
  }
  refuseOtherModes(prepared)
  return undefined
}

/** The built-in kube-proxy does not have every mode: rules of another than the one asked for would teach the wrong thing. */
function refuseOtherModes({ lab, config }: PreparedLab): void {
  if (builtInModes.some((mode) => mode === config.mode)) return
  throw new InputError([
    {
      message: `the built-in kube-proxy has no mode "${config.mode}" yet`,
      hint: 'modes iptables, nftables, ipvs and userspace are built in; --kube-proxy runs a binary of your own in any mode',
      at: lab.at(['kubeProxy', 'mode']),
    },
  ])
}

/** A lab that writes its own rules has no use for a binary, wherever that was named. */
function refuseWithout({ lab }: PreparedLab): void {
  if (lab.kubeProxy !== false) return
  const message = 'the nodes of this lab have no kube-proxy, so none can be run instead'
  throw new InputError([{ message, at: lab.at(['kubeProxy']), hint: 'leave out "kubeProxy: false"' }])
}

/** The mode, if there is a kube-proxy that can be run in it. */
function shippedMode({ lab, config: { mode } }: PreparedLab): ShippedMode {
  if (mode !== 'userspace') return mode
  const message = 'kube-proxy has had no mode "userspace" since Kubernetes 1.26'
  throw new InputError([
    { message, at: lab.at(['kubeProxy', 'mode']), hint: 'without --kube-proxy, the built-in one has it' },
  ])
}

/** One process of a kube-proxy binary on each node, with the two files that it reads. */
function planKubeProxies(prepared: PreparedLab, binary: string): Stage {
  const { lab, topology } = prepared
  return {
    title: `kube-proxy of the nodes; the lab's objects are served at ${kubeApiUrl(prepared)}`,
    files: [
      { path: kubeconfigPath, text: kubeconfig(kubeApiUrl(prepared), lab.name) },
      ...topology.nodes.map((node) => ({ path: configPath(node), text: configuration(prepared, node.name) })),
    ],
    commands: [],
    processes: topology.nodes.map((node) => ({
      what: `kube-proxy of ${node.name}`,
      netns: node.netns,
      argv: [binary, '--config', configPath(node)],
      env: {
        // a proxy of the machine is not reached from inside
        ...{ NO_PROXY: '*', no_proxy: '*' },
        // the nodes share a /run here, and would wait for each other's iptables
        XTABLES_LOCKFILE: `${folder}/${node.netns}.lock`,
      },
      listensOn: [],
      log: `${folder}/${node.netns}.log`,
    })),
  }
}

/** Tools of the machine that are needed to run kube-proxies and to see when they are ready. */
export function kubeProxyTools({ config }: PreparedLab): string[] {
  return [
    'curl',
    ...(config.mode === 'nftables' ? ['nft'] : []),
    ...(config.mode === 'ipvs' ? ['ipset'] : []),
  ]
}

/** What the kube-proxy of a node has to show before the lab's steps begin. */
export function kubeProxyReadiness(
  prepared: PreparedLab,
  input: ProxyInput,
  patienceMs = kubeProxyPatienceMs,
): Readiness {
  const { config, kubeProxyFields, topology } = prepared
  const given = section(kubeProxyFields || {}, config.mode)['minSyncPeriod']
  const seconds = parseDuration(typeof given === 'string' ? given : minSyncPeriod) ?? 0
  return {
    mode: shippedMode(prepared),
    frontends: frontendsOf(input, topology.families),
    healthz: localUrl(config.healthzBindAddress, 'healthz'),
    metrics: localUrl(config.metricsBindAddress, 'metrics'),
    quietMs: quietMs + seconds * 1000,
    patienceMs,
  }
}

/**
 * The lab's fields, and those without which kube-proxy would not start in a namespace or would touch the machine: the
 * conntrack limits belong to the whole machine, and kube-proxy ends where it cannot set them; so does its OOM score.
 */
function configuration({ lab, config, kubeProxyFields, topology }: PreparedLab, node: string): string {
  const given = kubeProxyFields || {}
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clusterCIDR: lab.families.map((family) => topology.ranges.pods[family]).join(','),
    oomScoreAdj: 0,
    ...given,
    mode: config.mode,
    hostnameOverride: node,
    clientConnection: { ...section(given, 'clientConnection'), kubeconfig: kubeconfigPath },
    conntrack: { ...section(given, 'conntrack'), maxPerCore: 0, min: 0 },
    [config.mode]: { minSyncPeriod, ...section(given, config.mode) },
  })
}

function section(given: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = given[name]
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function configPath(node: NodePlace): string {
  return `${folder}/${node.netns}.yaml`
}

/** An address to bind, as a URL to ask from the same namespace; undefined when nothing is bound. */
function localUrl(bindAddress: string, path: string): string | undefined {
  const [, host = '', port] = /^(.*):(\d+)$/.exec(bindAddress) ?? []
  if (port === undefined) return undefined
  const anywhere: Readonly<Record<string, string>> = {
    '': '127.0.0.1',
    '0.0.0.0': '127.0.0.1',
    '[::]': '[::1]',
  }
  return `http://${anywhere[host] ?? host}:${port}/${path}`
}
