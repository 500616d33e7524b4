import type { KubeObject } from '../../cluster/types.js'
import { configuredProxy, type ConfiguredProxy } from '../../host/ingress/configuredProxy.js'
import { ownCertificate } from '../../host/ingress/ownCertificate.js'
import { proxyPrograms } from '../../host/ingress/proxyProgram.js'
import { streamModule } from '../../host/machine.js'
import type { Sandbox } from '../../host/sandbox.js'
import type { Certificate } from '../../ingress/model.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { Follower, LabState } from '../live/types.js'
import type { Lab } from '../types.js'
import { compileIngress } from './compileIngress.js'
import { ingressFolder } from './controllerObjects.js'
import { createIngressEvents, refusals, unsupportedFindings } from './ingressEvents.js'
import type { IngressSpec } from './schema.js'

/** The proxies of a lab's ingress controllers. */
export interface IngressProxies {
  /** Has them serve what the cluster asks for; a change is not over before they do. */
  readonly follow: Follower
  /** What the controllers have said of objects so far, as Events. */
  events(): readonly KubeObject[]
}

/**
 * Writes what the proxies of a lab are to serve when it comes up, before their pods start. Nothing is made in a lab without
 * such controllers.
 */
export async function startIngressProxies(
  sandbox: Sandbox,
  { ingress, families }: Pick<Lab, 'ingress' | 'families'>,
  initial: LabState,
): Promise<IngressProxies> {
  if (ingress.length === 0) return { follow: () => Promise.resolve(), events: () => [] }
  const own = await ownCertificate(sandbox)
  const controllers = ingress.map((spec) => {
    const place = { folder: ingressFolder(spec), families, streamModule: streamModule() }
    const proxy = configuredProxy(sandbox, { program: proxyPrograms[spec.proxy], ...place })
    const events = createIngressEvents(`${spec.name}-controller`)
    return { events, follow: followOne(proxy, spec, own, events.tell) }
  })
  const follow = async (state: LabState) => {
    await Promise.all(controllers.map((one) => one.follow(state)))
  }
  await follow(initial)
  return { follow, events: () => controllers.flatMap(({ events }) => events.all()) }
}

/** A configuration that is as before is not put again: replicas that have started since are asked what they serve. */
function followOne(
  proxy: ConfiguredProxy,
  spec: IngressSpec,
  own: Certificate,
  tell: (findings: readonly Finding[], cluster: LabState['cluster']) => void,
): Follower {
  let standing: string | undefined
  let refused: string | undefined
  return async ({ cluster }) => {
    const { configuration, findings } = compileIngress(cluster, spec, own)
    const text = JSON.stringify(configuration)
    if (text === standing) await proxy.settle()
    else {
      standing = text
      const outcome = await proxy.put(configuration)
      refused = outcome.live ? undefined : outcome.message
    }
    const unsupported = proxyPrograms[spec.proxy].unsupported(configuration)
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
