import type { Finding } from './finding.js'
import { iptablesProbes, type Backend } from './iptablesProbes.js'
import { install } from './install.js'
import { ipvsWeakness } from '../requirements/requireIpvs.js'
import { ownRootRemedy, sandboxRemedy } from '../sandbox/sandboxRemedy.js'
import { ipvsProbes, kernelProbes } from './kernelProbes.js'
import { loadModules } from './loadModules.js'
import type { Probe, ProbeResult } from './probe.js'
import { runProbes, type ProbeRun } from './runProbes.js'

/** Which features the kernel supports, each tested in a sandbox; with `rootless`, as an ordinary user. */
export async function kernelFindings(rootless: boolean): Promise<Finding[]> {
  const [kernel, ipvs, nft, legacy] = await Promise.all([
    runProbes(kernelProbes),
    runProbes(ipvsProbes, { asHostRoot: ipvsWeakness }),
    runProbes(iptablesProbes('nft')),
    runProbes(iptablesProbes('legacy')),
  ])
  if (!kernel.ok)
    return [
      sandboxFinding(kernel.said, rootless),
      ...[...kernelProbes, ...ipvsProbes].map((probe) => unknown(probe)),
    ]
  const backends = [backendSummary('nft', nft), backendSummary('legacy', legacy)]
  // one usable backend is enough
  const required = backends.every((backend) => !backend.usable)
  return [
    sandboxFinding(undefined, rootless),
    ...(rootless ? [] : [ownRootFinding(kernel.weakness)]),
    ...kernelProbes.map((probe, index) => kernelFinding(probe, kernel.results[index])),
    ...ipvsProbes.map((probe, index) => kernelFinding(probe, ipvs.ok ? ipvs.results[index] : undefined)),
    ...backends.map((backend) => backendFinding(backend, required)),
  ]
}

function sandboxFinding(error: string | undefined, rootless: boolean): Finding {
  return {
    group: 'kernel',
    name: rootless ? 'sandbox (rootless)' : 'sandbox',
    status: error === undefined ? 'ok' : 'missing',
    required: true,
    neededFor: 'every lab: it isolates the lab from this host',
    detail: error,
    remedy: error === undefined ? undefined : sandboxRemedy(rootless),
  }
}

/** Whether labs that root runs get their own root, which has no rights on the host. */
function ownRootFinding(weakness: string | undefined): Finding {
  return {
    group: 'kernel',
    name: 'user namespaces',
    status: weakness === undefined ? 'ok' : 'missing',
    required: false,
    neededFor: 'labs whose root has no rights on this host',
    detail: weakness?.split('; `')[0],
    remedy: weakness === undefined ? undefined : ownRootRemedy(),
  }
}

function kernelFinding(probe: Probe, result: ProbeResult | undefined): Finding {
  if (result === undefined || result.toolMissing) return unknown(probe)
  return {
    ...unknown(probe),
    status: result.ok ? 'ok' : 'missing',
    detail: result.ok ? undefined : result.said,
    remedy: result.ok ? undefined : moduleRemedy(probe),
  }
}

function unknown(probe: Probe): Finding {
  const { name, required, neededFor } = probe
  return { group: 'kernel', name, status: 'unknown', required, neededFor }
}

interface BackendSummary {
  readonly name: string
  readonly installed: boolean
  readonly usable: boolean
  readonly has: readonly Probe[]
  readonly missing: readonly Probe[]
}

function backendSummary(backend: Backend, run: ProbeRun): BackendSummary {
  const probes = iptablesProbes(backend)
  const results = run.ok ? run.results : []
  const installed = results[0]?.toolMissing !== true
  // without the nfacct tool the match cannot be tested
  const missing = probes.filter((_, index) => !results[index]?.ok && !results[index]?.toolMissing)
  return {
    name: `iptables-${backend}`,
    installed,
    usable: installed && !missing.some((probe) => probe.required),
    has: probes.filter((_, index) => results[index]?.ok === true),
    missing,
  }
}

function backendFinding(backend: BackendSummary, required: boolean): Finding {
  const { name, installed, usable, has, missing } = backend
  const finding = { group: 'iptables', name, required: required && !usable } as const
  if (!installed) {
    const remedy = install(['iptables'])
    return { ...finding, status: 'missing', neededFor: "kube-proxy's rules", detail: 'not installed', remedy }
  }
  if (missing.length === 0) {
    return { ...finding, status: 'ok', neededFor: "kube-proxy's rules", detail: namesOf(has) }
  }
  const modules = [...new Set(missing.map((probe) => probe.module))].join(' ')
  return {
    ...finding,
    status: 'missing',
    neededFor: [...new Set(missing.map((probe) => probe.neededFor))].join(', '),
    detail: `missing: ${namesOf(missing)}`,
    remedy: loadModules(`-a ${modules}`),
  }
}

function namesOf(probes: readonly Probe[]): string {
  return probes.map((probe) => probe.name).join(', ')
}

/** The command that loads the module of a probe. */
function moduleRemedy({ module, option }: Probe): string | undefined {
  if (module === undefined) return 'run with sudo, or in a container with --privileged'
  return loadModules(module, option)
}
