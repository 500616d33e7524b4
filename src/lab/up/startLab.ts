import type { ContainerProcess } from '../../host/kubelet/types.js'
import { commitSize } from '../../host/proxier/nodeTables.js'
import { probeMachine, type Machine } from '../../host/machine.js'
import { startKubeProxies, type RunningKubeProxies } from '../../host/kubeProxy/startKubeProxies.js'
import { planRunner, type OnProcess } from '../../host/sandbox/runPlan.js'
import { whileRunning, type Sandbox } from '../../host/sandbox/sandbox.js'
import type { Stage } from '../../topology/types.js'
import { inputOfNode } from '../../agents/kubeProxy/input.js'
import { balancerTools } from '../balancers/index.js'
import { capturesOnDemand, startCaptures } from './captures.js'
import { startKubeApi } from './kubeApi.js'
import type { PreparedDns } from '../dns/clusterDns.js'
import { dnsAround, dnsFiles, firstSerial } from '../dns/dnsLaunch.js'
import { dnsServers, dnsServing } from '../dns/dnsServing.js'
import { ingressProxies, ingressTools } from '../ingress/ingressProxies.js'
import { isProxyOf } from '../ingress/proxyPlaces.js'
import { kubeProxyTools, modeOnNodes, watchedBy } from '../../snapshot/model/kubeProxy.js'
import { kubeProxyStage } from '../plan/kubeProxyBinary.js'
import type { PlanFacts } from '../plan/planFacts.js'
import { firstStages, planLab } from '../plan/planLab.js'
import { proxyInputs } from '../../snapshot/fromPlan/proxyInputs.js'
import type { PreparedLab } from '../plan/prepareLab.js'
import { kubeProxyReadiness } from './kubeProxyReadiness.js'
import { keepsPackets, type StartOptions } from './startOptions.js'
import { orSandboxGone, createRunningLab, type OwnLab } from './runningLab.js'

/** The tools that a lab needs besides those of its steps. */
export function toolsOf(prepared: PreparedLab, options: Pick<StartOptions, 'capture'> = {}): string[] {
  return [
    ...['ip', 'xargs', 'sysctl', 'conntrack', 'nginx'],
    ...kubeProxyTools(prepared.kubeProxy),
    ...(options.capture === false ? [] : ['tcpdump']),
    ...(prepared.dns === undefined ? [] : [prepared.dns.program.tool, 'dig']),
    ...(prepared.dns?.outside === undefined ? [] : ['dnsmasq']),
    ...ingressTools(prepared.lab),
    ...balancerTools(prepared, modeOnNodes(prepared.kubeProxy)),
  ]
}

/** Builds a prepared lab in a sandbox; `withRunningLab` makes the sandbox, and stops the lab. */
export async function startLab(
  sandbox: Sandbox,
  prepared: PreparedLab,
  options: StartOptions,
): Promise<OwnLab> {
  try {
    options.signal?.throwIfAborted()
    return await whileRunning(sandbox, build(sandbox, prepared, options))
  } catch (thrown) {
    options.signal?.throwIfAborted()
    throw orSandboxGone(sandbox, thrown)
  }
}

async function build(sandbox: Sandbox, prepared: PreparedLab, options: StartOptions): Promise<OwnLab> {
  const { kubeProxy, topology } = prepared
  const containers = new Map<string, Map<string, ContainerProcess>>()
  const onProcess: OnProcess = (planned, running) => {
    if (planned.container === undefined) return
    const { pod, name } = planned.container
    containers.set(
      pod,
      (containers.get(pod) ?? new Map<string, ContainerProcess>()).set(name, { planned, running }),
    )
  }
  const run = planRunner(sandbox, { onStage: options.onStage, onProcess })
  // the first stages do not depend on the host: they run while it is probed
  const ingress = ingressProxies(sandbox, prepared.lab, prepared)
  const runFirst = async () => {
    const first = firstStages(prepared)
    await run(first, ingress.runners)
    return first
  }
  const [machine, first] = await Promise.all([probeMachine(sandbox, options.iptables), runFirst()])
  const facts = planFacts(machine, sandbox, options)
  const { stages } = planLab(prepared, facts, first)
  const since = new Date()
  const capturing = { sandbox, whole: keepsPackets(options), isProxy: isProxyOf(prepared.lab) }
  let proxies: RunningKubeProxies | undefined
  const startBinaries = async (stage: Stage) => {
    if (kubeProxy.kind !== 'binary') return
    await around
    proxies = await startKubeProxies(sandbox, machine.iptables, stage, (node) => {
      const seen = { topology, cluster: watchedBy(kubeProxy, prepared.cluster) }
      const input = inputOfNode(proxyInputs(seen, kubeProxy.config, facts), node)
      return kubeProxyReadiness(kubeProxy, topology.families, input, options.kubeProxyPatienceMs)
    })
  }
  // start links first: later stages wait for them, while captures wait for the kernel
  const running = run(stages, { [kubeProxyStage]: startBinaries })
  const around = Promise.all([
    options.capture === false ? capturesOnDemand(capturing) : startCaptures({ ...capturing, topology }),
    kubeProxy.kind === 'binary' || options.api === true
      ? startKubeApi(sandbox, prepared, since, options.api === true)
      : undefined,
  ])
  const [[captures, api]] = await Promise.all([around, running])
  if (prepared.dns !== undefined) await dnsAnswers(sandbox, prepared, prepared.dns)
  return await createRunningLab(prepared, options, {
    ...{ sandbox, machine, captures, api, since, proxies, containers, ingress },
  })
}

/** Waits for answers: a DNS server listens before it has read its zones. */
async function dnsAnswers(sandbox: Sandbox, prepared: PreparedLab, dns: PreparedDns): Promise<void> {
  const { origins } = dnsFiles(prepared.cluster, dnsAround(prepared, dns), firstSerial)
  const zones = { origins, serial: firstSerial }
  await dnsServing(sandbox, dnsServers(prepared), dns.program, zones, false)
}

/** What a plan needs to know about a sandbox on this host. */
export function planFacts(
  { iptables, nginx, nfacct }: Machine,
  sandbox: Sandbox,
  { healthz = false, withheld }: StartOptions,
): PlanFacts {
  const restore = { IPv4: iptables.program('IPv4', 'restore'), IPv6: iptables.program('IPv6', 'restore') }
  const commits = commitSize(iptables, sandbox)
  const splitNft = sandbox.owner !== 0
  const { randomFully } = iptables
  return { restore, nginx, nfacct, randomFully, commits, splitNft, healthz, withheld }
}
