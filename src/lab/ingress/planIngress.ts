import { showFolderCommand } from '../../host/ingress/commandProgram.js'
import { planConfiguration, type ProxyPlace } from '../../host/ingress/planConfiguration.js'
import { streamModule } from '../../host/machine.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { Cluster } from '../../cluster/types.js'
import type { PlannedStage } from '../../topology/types.js'
import type { Lab } from '../types.js'
import { compileIngress } from '../../ingress/compileIngress.js'
import { ingressFolder, labFolder, programOf } from './controllerObjects.js'
import type { IngressSpec } from '../../ingress/ingressController.js'

/** Placeholder for a certificate that does not exist before the lab starts. */
const own = { certificate: '(the certificate of the controller)', key: '(its key)' }

/**
 * The first configuration of a lab's proxies, written before their pods start: a stage for each controller, run by
 * ingressProxies. It contains placeholders for certificates and keys.
 */
export function planIngress(
  { ingress, families, directory }: Pick<Lab, 'ingress' | 'families' | 'directory'>,
  cluster: Cluster,
): PlannedStage[] {
  if (ingress.length === 0) return []
  const commands = ingress.filter(({ proxy }) => proxy === 'command')
  const shown = {
    ...{ name: 'the folder of the lab, for the programs of ingress controllers', after: [], files: [] },
    commands: commands.map((spec) => ({ argv: showFolderCommand(directory, labFolder(spec)) })),
  }
  return [
    ...(commands.length === 0 ? [] : [shown]),
    ...ingress.map((spec) => ({
      name: controllerStage(spec),
      after: spec.proxy === 'command' ? [shown.name] : [],
      ...planConfiguration(namedKeys(cluster, spec), proxyPlace(spec, families)),
    })),
  ]
}

/** Name of the stage of a controller. */
export function controllerStage({ name }: Pick<IngressSpec, 'name'>): string {
  return `what the proxies of ingress controller ${name} read`
}

/** Where the files of a controller's proxies are. */
export function proxyPlace(spec: IngressSpec, families: Lab['families']): ProxyPlace {
  return { program: programOf(spec), folder: ingressFolder(spec), families, streamModule: streamModule() }
}

/** The configuration of a controller, with placeholders for certificates and keys. */
function namedKeys(cluster: Cluster, spec: IngressSpec) {
  const { configuration } = compileIngress(cluster, spec, own)
  const certificates = Object.keys(configuration.certificates).map((id) => {
    const named = { certificate: `(tls.crt of Secret ${id})`, key: `(tls.key of Secret ${id})` }
    return [id, id === defaultCertificate ? own : named] as const
  })
  return { ...configuration, certificates: Object.fromEntries(certificates) }
}
