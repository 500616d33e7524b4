import type { KubeObject } from '../../cluster/types.js'
import { configuredProxy, type ConfiguredProxy } from '../../host/ingress/configuredProxy.js'
import { ownCertificate } from '../../host/ingress/ownCertificate.js'
import type { StageRunners } from '../../host/sandbox/runPlan.js'
import type { Sandbox } from '../../host/sandbox/sandbox.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Certificate, ProxyConfiguration } from '../../ingress/model.js'
import { cachingSecretReader } from '../../ingress/objects/tlsSecret.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { Follower, LabState } from '../live/types.js'
import type { Stage } from '../../topology/types.js'
import type { Lab } from '../types.js'
import { compileIngress } from './compileIngress.js'
import { programOf } from './controllerObjects.js'
import { createIngressEvents, refusals, unsupportedFindings } from './ingressEvents.js'
import { certificateStage, controllerStage, proxyPlace } from './planIngress.js'
import type { IngressSpec } from './schema.js'

/** The proxies of a lab's ingress controllers. */
export interface IngressProxies {
  /** Runs their stages of the lab's plan. */
  readonly runners: StageRunners
  /** Has them serve what the cluster asks for; a change is not over before they do. */
  readonly follow: Follower
  /** What the controllers have said of objects so far, as Events. */
  events(): readonly KubeObject[]
}

/** The tools that a lab's controllers need; a program that is named by its path is looked for when it starts. */
export function ingressTools({ ingress }: Pick<Lab, 'ingress'>): string[] {
  return ingress.flatMap((spec) => ['openssl', programOf(spec).tool]).filter((tool) => !tool.includes('/'))
}

/** The proxies of a lab, which serve nothing until their stages of its plan have run. */
export function ingressProxies(
  sandbox: Sandbox,
  { ingress, families }: Pick<Lab, 'ingress' | 'families'>,
  initial: LabState,
): IngressProxies {
  let own: Certificate = { certificate: '', key: '' }
  const controllers = ingress.map((spec) => {
    const proxy = configuredProxy(sandbox, proxyPlace(spec, families))
    const events = createIngressEvents(`${spec.name}-controller`)
    const follow = followOne(proxy, spec, () => own, events.tell)
    return { name: controllerStage(spec), events, follow, start: (stage: Stage) => follow(initial, stage) }
  })
  return {
    runners: {
      [certificateStage]: async () => (own = await ownCertificate(sandbox)),
      ...Object.fromEntries(controllers.map(({ name, start }) => [name, start])),
    },
    follow: async (state) => {
      await Promise.all(controllers.map((one) => one.follow(state)))
    },
    events: () => controllers.flatMap(({ events }) => events.all()),
  }
}

/**
 * A configuration that is as before is not put again: replicas that have started since are asked what they serve. Until
 * there is a first one that the proxy takes, it listens and serves nothing.
 */
function followOne(
  proxy: ConfiguredProxy,
  spec: IngressSpec,
  own: () => Certificate,
  tell: (findings: readonly Finding[], cluster: LabState['cluster']) => void,
): (state: LabState, planned?: Stage) => Promise<void> {
  const readSecret = cachingSecretReader()
  let asked: string | undefined
  let hasGood = false
  let refused: string | undefined
  return async ({ cluster }, planned) => {
    const { configuration, findings } = compileIngress(cluster, spec, own(), readSecret)
    const text = JSON.stringify(configuration)
    if (text === asked) {
      const outcome = await proxy.settle()
      if (!outcome.live) refused = outcome.message
    } else {
      asked = text
      const outcome = await proxy.put(configuration, planned)
      refused = outcome.live ? undefined : outcome.message
      if (!outcome.live && !hasGood) await proxy.put(withoutHosts(configuration, own()))
      hasGood = true
    }
    const unsupported = programOf(spec).unsupported(configuration)
    tell(
      [
        ...findings,
        ...unsupportedFindings(unsupported, spec.proxy, cluster),
        ...(refused === undefined ? [] : refusals(refused, spec, cluster)),
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
