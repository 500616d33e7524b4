import type { IpFamily } from '../../net/ipFamily.js'
import { joinHostPort } from '../../net/socketText.js'
import { healthCheckBody, healthChecks, type HealthCheck } from './healthChecks.js'
import type { ProxyInput } from './input.js'
import { modeOf } from './modes.js'
import { nodePortAddresses } from './nodeAddresses.js'
import { healthCheckNodePort } from './servicePort.js'

/** The cluster autoscaler's taint on nodes that it is about to delete. */
const deletionTaint = 'ToBeDeletedByClusterAutoscaler'

/** A response on every path, or on one. */
export interface HealthAnswer {
  /** Undefined for every path. */
  readonly path?: string | undefined
  readonly status: 200 | 503
  readonly headers: Readonly<Record<string, string>>
  /** `{now}` is replaced by the current time. */
  readonly body: string
}

/** One HTTP server of a node's kube-proxy. */
export interface HealthServer {
  /** `address:port`, IPv6 in brackets. */
  readonly listen: readonly string[]
  readonly answers: readonly HealthAnswer[]
}

/** What determines the responses besides the objects. */
export interface NodeHealth {
  /** By family: whether rule updates succeed; see Proxier.healthy. */
  readonly healthy: Readonly<Record<IpFamily, boolean>>
  /** Whether the Node object is deleted. */
  readonly deleted: boolean
  /** Serve /healthz and /livez even if no Service has health checks. */
  readonly always: boolean
}

/** The state after a node's rules are loaded. */
export const healthyNode: NodeHealth = { healthy: { IPv4: true, IPv6: true }, deleted: false, always: false }

/**
 * The health servers of one node: one per healthCheckNodePort and family, as in kube-proxy's proxiers,
 * and kube-proxy's own on healthzBindAddress. None at all while no Service has a healthCheckNodePort, unless `always`.
 */
export function healthServers(
  input: ProxyInput,
  families: readonly IpFamily[],
  health: NodeHealth,
): readonly HealthServer[] {
  const healthy = families.every((family) => health.healthy[family])
  // usually none: this avoids a scan of all endpoints
  const asked =
    modeOf(input.config.mode).servesHealthChecks &&
    input.services.some((service) => healthCheckNodePort(service) !== 0)
  const services = (asked ? families : []).flatMap((family) =>
    healthChecks(input, family).map((check) => ({
      listen: listenAddresses(input, family).map((address) => joinHostPort(address, check.port)),
      answers: [serviceAnswer(check, healthy)],
    })),
  )
  const own = input.config.healthzBindAddress
  if (own === '' || (services.length === 0 && !health.always)) return services
  const tainted = input.node.spec?.taints?.some(({ key }) => key === deletionTaint) === true
  const eligible = !health.deleted && !tainted
  const answers = [
    ownAnswer('/healthz', healthy && eligible, `,"nodeEligible": ${eligible}`),
    ownAnswer('/livez', healthy, ''),
  ]
  return [...services, { listen: [own], answers }]
}

function listenAddresses(input: ProxyInput, family: IpFamily): readonly string[] {
  const { matchAll, addresses } = nodePortAddresses(input, family)
  return matchAll ? [family === 'IPv4' ? '0.0.0.0' : '::'] : addresses
}

function serviceAnswer(check: HealthCheck, healthy: boolean): HealthAnswer {
  return {
    status: check.localEndpoints > 0 && healthy ? 200 : 503,
    headers: { ...jsonHeaders, 'X-Load-Balancing-Endpoint-Weight': String(check.localEndpoints) },
    body: healthCheckBody(check, healthy),
  }
}

/** While healthy, kube-proxy reports the current time as that of its last update. */
function ownAnswer(path: string, ok: boolean, more: string): HealthAnswer {
  return {
    path,
    status: ok ? 200 : 503,
    headers: jsonHeaders,
    body: `{"lastUpdated": "{now}","currentTime": "{now}"${more}}`,
  }
}

const jsonHeaders = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' }
