import { frontendsOf } from '../../host/kubeProxy/frontends.js'
import type { Readiness } from '../../host/kubeProxy/untilReady.js'
import { liveModeOf } from '../../host/proxier/liveModes.js'
import type { IpFamily } from '../../net/ipFamily.js'
import type { ProxyInput } from '../../agents/kubeProxy/input.js'
import type { KubeProxyBinary } from '../../snapshot/model/kubeProxy.js'
import { minSyncPeriodSeconds, section } from '../plan/kubeProxyBinary.js'

/** A real kube-proxy is ready after one to ten seconds; some of its retries take thirty. */
const kubeProxyPatienceMs = 60_000

/** At least this long without a sync before the steps begin. */
const quietMs = 150

/** What must be true of a node's kube-proxy before the lab's steps begin. */
export function kubeProxyReadiness(
  { mode, config, fields }: KubeProxyBinary,
  families: readonly IpFamily[],
  input: ProxyInput,
  patienceMs = kubeProxyPatienceMs,
): Readiness {
  const { evidence } = liveModeOf(mode.name)
  if (evidence === undefined) throw new Error(`no kube-proxy binary has the mode ${mode.name}`)
  const isSet = 'minSyncPeriod' in section(fields, mode.name)
  const seconds = isSet ? config[mode.section].minSyncPeriod : minSyncPeriodSeconds
  return {
    evidence,
    frontends: frontendsOf(input, families),
    healthz: localUrl(config.healthzBindAddress, 'healthz'),
    metrics: localUrl(config.metricsBindAddress, 'metrics'),
    quietMs: quietMs + seconds * 1000,
    patienceMs,
  }
}

/** The URL of a bind address in the same namespace; undefined when nothing is bound. */
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
