import type { KubeObject } from '../../cluster/types.js'
import { makeCertificate } from '../../host/certificate.js'
import { configuredProxy, type ConfiguredProxy } from '../../host/ingress/configuredProxy.js'
import type { StageRunners } from '../../host/sandbox/runPlan.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Certificate, ProxyConfiguration } from '../../ingress/model.js'
import { cachingSecretReader } from '../../ingress/objects/tlsSecret.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { Follower } from '../live/types.js'
import type { LabState } from '../../snapshot/model/labState.js'
import type { Stage } from '../../topology/types.js'
import type { Lab } from '../types.js'
import { compileIngress } from '../../ingress/compileIngress.js'
import { programOf } from './controllerObjects.js'
import { createIngressEvents, rejections, unsupportedFindings } from './ingressEvents.js'
import { controllerStage, proxyPlace } from './planIngress.js'
import type { IngressSpec } from '../../ingress/ingressController.js'

/** The proxies of a lab's ingress controllers. */
export interface IngressProxies {
  /** Runs their stages of the lab's plan. */
  readonly runners: StageRunners
  /** Updates the proxies to the cluster; a change is complete only after that. */
  readonly follow: Follower
  /** The controllers' Events about objects. */
  events(): readonly KubeObject[]
}

/** Like the default certificate of ingress-nginx, made for each lab. */
const controllerCertificate = {
  hosts: ['ingress.local'],
  days: 365,
  commonName: 'Kubernetes Ingress Controller Fake Certificate',
  organization: 'Acme Co',
}

/** The tools that a lab's controllers need, without programs given by their path. */
export function ingressTools({ ingress }: Pick<Lab, 'ingress'>): string[] {
  return ingress.map((spec) => programOf(spec).tool).filter((tool) => !tool.includes('/'))
}

/** The proxies of a lab; they serve nothing until their stages of its plan have run. */
export function ingressProxies(
  sandbox: Sandbox,
  { ingress, families }: Pick<Lab, 'ingress' | 'families'>,
  initial: LabState,
): IngressProxies {
  const own = makeCertificate(controllerCertificate, new Date())
  const controllers = ingress.map((spec) => {
    const proxy = configuredProxy(sandbox, proxyPlace(spec, families))
    const events = createIngressEvents(`${spec.name}-controller`)
    const follow = followOne(proxy, spec, own, events.record)
    return { name: controllerStage(spec), events, follow, start: (stage: Stage) => follow(initial, stage) }
  })
  return {
    runners: Object.fromEntries(controllers.map(({ name, start }) => [name, start])),
    follow: async (state) => {
      await Promise.all(controllers.map((one) => one.follow(state)))
    },
    events: () => controllers.flatMap(({ events }) => events.all()),
  }
}

/**
 * Writes a configuration only if it changed: replicas that started later are then checked. Until the proxy has accepted a
 * first configuration, it listens and answers 404.
 */
function followOne(
  proxy: ConfiguredProxy,
  spec: IngressSpec,
  own: Certificate,
  record: (findings: readonly Finding[], cluster: LabState['cluster']) => void,
): (state: LabState, planned?: Stage) => Promise<void> {
  const readSecret = cachingSecretReader()
  let written: string | undefined
  let hasGood = false
  let rejected: string | undefined
  return async ({ cluster }, planned) => {
    const { configuration, findings } = compileIngress(cluster, spec, own, readSecret)
    const text = JSON.stringify(configuration)
    if (text === written) {
      const outcome = await proxy.settle()
      if (!outcome.live) rejected = outcome.message
    } else {
      written = text
      const outcome = await proxy.put(configuration, planned)
      rejected = outcome.live ? undefined : outcome.message
      if (!outcome.live && !hasGood) await proxy.put(withoutHosts(configuration, own))
      hasGood = true
    }
    const unsupported = programOf(spec).unsupported(configuration)
    record(
      [
        ...findings,
        ...unsupportedFindings(unsupported, spec.proxy, cluster),
        ...(rejected === undefined ? [] : rejections(rejected, spec, cluster)),
      ],
      cluster,
    )
  }
}

/** The same listeners, which answer 404. */
function withoutHosts({ listeners }: ProxyConfiguration, own: Certificate): ProxyConfiguration {
  return {
    listeners: listeners.map((listener) => ({ ...listener, hosts: [] })),
    certificates: { [defaultCertificate]: own },
  }
}
