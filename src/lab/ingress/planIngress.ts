import { generationFolder, testCommand } from '../../host/ingress/configuredProxy.js'
import { ownCertificateCommand } from '../../host/ingress/ownCertificate.js'
import { startFile } from '../../host/ingress/proxyProgram.js'
import { defaultCertificate } from '../../ingress/certificateFiles.js'
import type { ProxySettings } from '../../ingress/proxySettings.js'
import type { Stage } from '../../topology/types.js'
import type { PreparedLab } from '../prepareLab.js'
import { compileIngress } from './compileIngress.js'
import { ingressFolder, programOf } from './controllerObjects.js'
import type { IngressSpec } from './schema.js'

/** In place of a certificate that there is not before the lab comes up. */
const own = { certificate: '(the certificate that openssl makes)', key: '(its key)' }

/**
 * What controllers write for their proxies before their pods start, and how it is tried, to be shown: certificates and keys
 * are named, not told.
 */
export function planIngress(prepared: PreparedLab, streamModule: ProxySettings['streamModule']): Stage {
  const each = prepared.lab.ingress.map((spec) => planOne(prepared, spec, streamModule))
  return {
    title: 'what the proxies of ingress controllers read',
    files: each.flatMap(({ files }) => files),
    commands: [{ argv: ownCertificateCommand }, ...each.flatMap(({ commands }) => commands)],
  }
}

function planOne(
  { cluster, lab }: PreparedLab,
  spec: IngressSpec,
  streamModule: ProxySettings['streamModule'],
): Pick<Stage, 'files' | 'commands'> {
  const program = programOf(spec)
  const controllerFolder = ingressFolder(spec)
  const folder = generationFolder(controllerFolder, '1')
  const { configuration } = compileIngress(cluster, spec, own)
  const certificates = Object.keys(configuration.certificates).map((id) => [
    id,
    id === defaultCertificate
      ? own
      : { certificate: `(tls.crt of Secret ${id})`, key: `(tls.key of Secret ${id})` },
  ])
  const files = program.write(
    {
      ...configuration,
      certificates: Object.fromEntries(certificates) as typeof configuration.certificates,
    },
    { folder, generation: '1', families: lab.families, streamModule },
  )
  return {
    files: [
      ...files.map(({ name, text }) => ({ path: `${folder}/${name}`, text })),
      startFile(program, controllerFolder),
    ],
    commands:
      program.test === undefined
        ? []
        : [{ argv: testCommand(program.test, program, controllerFolder, folder) }],
  }
}
