import type { KubeObject } from '../../cluster/types.js'
import { showFolder } from '../../host/ingress/commandProgram.js'
import { configuredProxy, type ConfiguredProxy } from '../../host/ingress/configuredProxy.js'
import { ownCertificate } from '../../host/ingress/ownCertificate.js'
import { streamModule } from '../../host/machine.js'
import type { Sandbox } from '../../host/sandbox.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Certificate, ProxyConfiguration } from '../../ingress/model.js'
import { rememberingSecrets } from '../../ingress/objects/tlsSecret.js'
import type { Finding } from '../../ingress/objects/finding.js'
import type { Follower, LabState } from '../live/types.js'
import type { Lab } from '../types.js'
import { compileIngress } from './compileIngress.js'
import { ingressFolder, labFolder, programOf } from './controllerObjects.js'
import { createIngressEvents, refusals, unsupportedFindings } from './ingressEvents.js'
import type { IngressSpec } from './schema.js'

/** The proxies of a lab's ingress controllers. */
export interface IngressProxies {
  /** Has them serve what the cluster asks for; a change is not over before they do. */
  readonly follow: Follower
  /** What the controllers have said of objects so far, as Events. */
  events(): readonly KubeObject[]
}

/** The tools that a lab's controllers need; a program that is named by its path is looked for when it starts. */
export function ingressTools({ ingress }: Pick<Lab, 'ingress'>): string[] {
  return ingress.flatMap((spec) => ['openssl', programOf(spec).tool]).filter((tool) => !tool.includes('/'))
}

/**
 * Writes what the proxies of a lab are to serve when it comes up, before their pods start. Nothing is made in a lab without
 * such controllers.
 */
export async function startIngressProxies(
  sandbox: Sandbox,
  { ingress, families, directory }: Pick<Lab, 'ingress' | 'families' | 'directory'>,
  initial: LabState,
): Promise<IngressProxies> {
  if (ingress.length === 0) return { follow: () => Promise.resolve(), events: () => [] }
  const commands = ingress.filter(({ proxy }) => proxy === 'command')
  const [own] = await Promise.all([
    ownCertificate(sandbox),
    ...commands.map((spec) => showFolder(sandbox, directory, labFolder(spec))),
  ])
  const controllers = ingress.map((spec) => {
    const place = { folder: ingressFolder(spec), families, streamModule: streamModule() }
    const proxy = configuredProxy(sandbox, { program: programOf(spec), ...place })
    const events = createIngressEvents(`${spec.name}-controller`)
    return { events, follow: followOne(proxy, spec, own, events.tell) }
  })
  const follow = async (state: LabState) => {
    await Promise.all(controllers.map((one) => one.follow(state)))
  }
  await follow(initial)
  return { follow, events: () => controllers.flatMap(({ events }) => events.all()) }
}

/**
 * A configuration that is as before is not put again: replicas that have started since are asked what they serve. Until
 * there is a first one that the proxy takes, it listens and serves nothing.
 */
function followOne(
  proxy: ConfiguredProxy,
  spec: IngressSpec,
  own: Certificate,
  tell: (findings: readonly Finding[], cluster: LabState['cluster']) => void,
): Follower {
  const readSecret = rememberingSecrets()
  let asked: string | undefined
  let hasGood = false
  let refused: string | undefined
  return async ({ cluster }) => {
    const { configuration, findings } = compileIngress(cluster, spec, own, readSecret)
    const text = JSON.stringify(configuration)
    if (text === asked) {
      const outcome = await proxy.settle()
      if (!outcome.live) refused = outcome.message
    } else {
      asked = text
      const outcome = await proxy.put(configuration)
      refused = outcome.live ? undefined : outcome.message
      if (!outcome.live && !hasGood) await proxy.put(withoutHosts(configuration, own))
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
