import type { Cluster } from '../../cluster/types.js'
import type { Certificate } from '../model.js'
import { once, warning, type Finding } from '../objects/finding.js'
import type { SecretReader } from '../objects/tlsSecret.js'
import type { Host, Source } from './sources.js'

/** The hosts with TLS, and their certificates; undefined means the controller's own certificate. */
export interface FoundCertificates {
  readonly certificates: Readonly<Record<string, Certificate>>
  readonly ofHost: ReadonlyMap<string, string | undefined>
  readonly findings: readonly Finding[]
}

/**
 * The certificates of hosts, each from the Secret of the first Ingress that has TLS for the host. A Secret that is
 * missing, invalid or for other names is a finding; the host then uses the controller's own certificate.
 */
export function certificatesOf(
  cluster: Cluster,
  hosts: readonly Host[],
  readSecret: SecretReader,
): FoundCertificates {
  const certificates: Record<string, Certificate> = {}
  const ofHost = new Map<string, string | undefined>()
  const findings: Finding[] = []
  for (const { hostname, sources } of hosts) {
    const [first] = sources.flatMap((source) =>
      entriesFor(source, hostname).map(({ secretName = '' }) => ({ source, secretName })),
    )
    if (first === undefined) continue
    const { source, secretName } = first
    const id = `${source.namespace}/${secretName}`
    ofHost.set(hostname, undefined)
    if (secretName === '') continue
    const found = readSecret(cluster, source.namespace, secretName)
    const own = 'the controller’s own certificate is shown instead'
    if (found.problem !== undefined)
      findings.push(warning(source.ingress, 'CertificateNotFound', `${found.problem}; ${own}`))
    else if (hostname !== '*' && found.names.checkHost(hostname.replace(/^\*/, 'any')) === undefined)
      findings.push(
        warning(source.ingress, 'CertificateMismatch', `Secret ${id} is not for host ${hostname}; ${own}`),
      )
    else {
      certificates[id] = found.certificate
      ofHost.set(hostname, id)
    }
  }
  return { certificates, ofHost, findings: once(findings) }
}

/** The TLS entries of an Ingress for a host: by name, by wildcard, or without hosts for all its hosts. */
function entriesFor({ ingress }: Source, hostname: string): { secretName?: string }[] {
  return (ingress.spec.tls ?? []).filter(({ hosts = [] }) => {
    const wildcard = hostname.replace(/^[^.]+/, '*')
    return hosts.length === 0 || hosts.includes(hostname) || hosts.includes(wildcard)
  })
}
