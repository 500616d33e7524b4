import type { IptablesBackend } from '../host/backend.js'
import { requireTools } from '../host/environment.js'
import type { ContainerProcess } from '../host/kubelet/types.js'
import { needsSplit } from '../host/proxier/nodeTables.js'
import { ipvsWeakness, requireIpvs } from '../host/requireIpvs.js'
import { probeMachine, type Machine } from '../host/machine.js'
import { startKubeProxies } from '../host/kubeProxy/startKubeProxies.js'
import { runPlan, type OnProcess } from '../host/runPlan.js'
import { whileOpen, type Sandbox } from '../host/sandbox.js'
import { startSandbox } from '../host/startSandbox.js'
import type { WithheldRule } from '../proxy/iptables/withheld.js'
import { balancerTools } from './balancers/index.js'
import { capturesOnDemand, startCaptures } from './captures.js'
import { startKubeApi } from './kubeApi.js'
import type { PreparedDns } from './dns/clusterDns.js'
import { dnsAround, dnsFiles, firstSerial } from './dns/dnsLaunch.js'
import { dnsServers, dnsServing } from './dns/dnsServing.js'
import { ingressTools, startIngressProxies } from './ingress/ingressProxies.js'
import { isProxyOf } from './ingress/proxyPlaces.js'
import { kubeProxyReadiness, kubeProxyStage, kubeProxyTools } from './kubeProxyBinary.js'
import { firstStages, hasKubeProxy, planLab, proxyInput, type PlanFacts } from './planLab.js'
import type { PreparedLab } from './prepareLab.js'
import { orSandboxGone, takeOver, type StartedLab } from './startedLab.js'

export type { StartedLab }

export interface StartOptions {
  readonly iptables?: IptablesBackend | undefined
  /** Keep whole packets and copy the captures to this folder when the lab ends. */
  readonly pcap?: string | undefined
  /** Capture packets at all; a lab that is only explored by hand needs none. True unless told. */
  readonly capture?: boolean | undefined
  /** Mark on the sandbox's command line, by which `ps` finds labs that are up. */
  readonly label?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Absolute path of a kube-proxy to run on every node instead of the built-in rules; the lab's own otherwise. */
  readonly kubeProxyBinary?: string | undefined
  /** How long those may take until their rules stand, in milliseconds. */
  readonly kubeProxyPatienceMs?: number | undefined
  /** Serve the lab's objects as the Kubernetes API; done for a kube-proxy in any case. */
  readonly api?: boolean | undefined
  /** Serve kube-proxy's /healthz and /livez; done in any case once a Service has a healthCheckNodePort. */
  readonly healthz?: boolean | undefined
  /** A rule that the built-in kube-proxies never write. */
  readonly withheld?: WithheldRule | undefined
  /** Seconds that a request waits at most, whatever its step says; one that waits in vain ends its repetitions. */
  readonly patienceSeconds?: number | undefined
  /** A sandbox that is on its way already; one is made otherwise. */
  readonly sandbox?: Promise<Sandbox> | undefined
}

/** The tools that a lab needs beside those of its steps. */
export function toolsOf(
  prepared: PreparedLab,
  options: Pick<StartOptions, 'kubeProxyBinary' | 'capture'> = {},
): string[] {
  const kubeProxies = kubeProxyStage(prepared, options.kubeProxyBinary)
  return [
    ...['ip', 'xargs', 'sysctl', 'conntrack', 'nginx'],
    ...(kubeProxies === undefined && prepared.config.mode === 'nftables' ? ['nft'] : []),
    ...(options.capture === false ? [] : ['tcpdump']),
    ...(prepared.dns === undefined ? [] : [prepared.dns.program.tool, 'dig']),
    ...(prepared.dns?.outside === undefined ? [] : ['dnsmasq']),
    ...ingressTools(prepared.lab),
    ...balancerTools(prepared, prepared.config.mode),
    ...(kubeProxies === undefined ? [] : kubeProxyTools(prepared)),
  ]
}

/**
 * Builds a prepared lab in a sandbox of its own; whatever fails, nothing remains. When the signal aborts, then or later,
 * the sandbox is removed at once, and everything that waits for it rejects.
 */
export async function startLab(prepared: PreparedLab, options: StartOptions = {}): Promise<StartedLab> {
  requireTools(toolsOf(prepared, options))
  const sandbox = await (options.sandbox ?? labSandbox(prepared, options))
  const abort = () => void sandbox.close()
  options.signal?.addEventListener('abort', abort)
  try {
    options.signal?.throwIfAborted()
    return await whileOpen(sandbox, build(prepared, options, sandbox, abort))
  } catch (thrown) {
    options.signal?.removeEventListener('abort', abort)
    const error = orSandboxGone(sandbox, thrown)
    await sandbox.close()
    options.signal?.throwIfAborted()
    throw error
  }
}

async function build(
  prepared: PreparedLab,
  options: StartOptions,
  sandbox: Sandbox,
  abort: () => void,
): Promise<StartedLab> {
  const { topology } = prepared
  const kubeProxies = kubeProxyStage(prepared, options.kubeProxyBinary)
  // the first stages need to know nothing of the machine: they run while it is probed
  const first = firstStages(topology)
  const [machine, ingress] = await Promise.all([
    probeMachine(sandbox, options.iptables),
    startIngressProxies(sandbox, prepared.lab, prepared),
    runPlan(sandbox, { stages: first }),
  ])
  const facts = planFacts(machine, sandbox, options)
  const { stages } = planLab(prepared, facts, kubeProxies)
  const others = kubeProxies === undefined ? stages.length : stages.indexOf(kubeProxies)
  const containers = new Map<string, Map<string, ContainerProcess>>()
  const keep: OnProcess = (planned, running) => {
    if (planned.container === undefined) return
    const { pod, name } = planned.container
    containers.set(
      pod,
      (containers.get(pod) ?? new Map<string, ContainerProcess>()).set(name, { planned, running }),
    )
  }
  const since = new Date()
  const capturing = { sandbox, whole: options.pcap !== undefined, isProxy: isProxyOf(prepared.lab) }
  // links come first: what is next waits for them, while captures wait for the kernel
  const [, captures, api] = await Promise.all([
    runPlan(sandbox, { stages: stages.slice(first.length, others) }, keep),
    options.capture === false ? capturesOnDemand(capturing) : startCaptures({ ...capturing, topology }),
    kubeProxies !== undefined || options.api === true ? startKubeApi(sandbox, prepared, since) : undefined,
  ])
  const proxies =
    kubeProxies &&
    (await startKubeProxies(sandbox, machine.iptables, kubeProxies, (node) =>
      kubeProxyReadiness(prepared, proxyInput(prepared, node, facts), options.kubeProxyPatienceMs),
    ))
  await runPlan(sandbox, { stages: stages.slice(others + 1) }, keep)
  if (prepared.dns !== undefined) await dnsAnswers(sandbox, prepared, prepared.dns)
  return await takeOver(prepared, options, {
    ...{ sandbox, machine, captures, api, since, proxies, containers, ingress, abort },
  })
}

/** A sandbox in which the lab's mode of kube-proxy has what it needs; throws ModeNotHereError where it has not. */
export async function labSandbox(
  prepared: PreparedLab,
  options: Pick<StartOptions, 'label' | 'sandbox' | 'kubeProxyBinary'>,
): Promise<Sandbox> {
  const { lab, config } = prepared
  const label = options.label ?? lab.name
  const binary = options.kubeProxyBinary ?? lab.kubeProxyBinary
  const show = [lab.directory, ...(binary === undefined ? [] : [binary])]
  const builtIn = hasKubeProxy(prepared) && kubeProxyStage(prepared, options.kubeProxyBinary) === undefined
  const ipvs = builtIn && config.mode === 'ipvs'
  // one that is being made already knows of no kube-proxy that the lab names
  const early = ipvs || lab.kubeProxyBinary !== undefined ? undefined : options.sandbox
  if (early === undefined) await (await options.sandbox)?.close()
  const sandbox = await (early ??
    startSandbox(label, { show, ...(ipvs ? { asHostRoot: ipvsWeakness } : {}) }))
  if (!ipvs) return sandbox
  try {
    await requireIpvs(sandbox, config.ipvs.scheduler || 'rr')
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** A DNS server listens before it has read its zones. */
async function dnsAnswers(sandbox: Sandbox, prepared: PreparedLab, dns: PreparedDns): Promise<void> {
  const { origins } = dnsFiles(prepared.cluster, dnsAround(prepared, dns), firstSerial)
  const zones = { origins, serial: firstSerial }
  await dnsServing(sandbox, dnsServers(prepared), dns.program, zones, false)
}

function planFacts(
  { iptables, nginx, nfacct }: Machine,
  sandbox: Sandbox,
  { healthz = false, withheld }: StartOptions,
): PlanFacts {
  const restore = { IPv4: iptables.program('IPv4', 'restore'), IPv6: iptables.program('IPv6', 'restore') }
  const splitRules = needsSplit(iptables, sandbox)
  return { restore, nginx, nfacct, randomFully: iptables.randomFully, splitRules, healthz, withheld }
}
