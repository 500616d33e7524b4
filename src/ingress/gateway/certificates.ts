import type { X509Certificate } from 'node:crypto'
import type { GatewayListener, ListenerOwner, SecretObjectReference } from '../../cluster/types/gateway.js'
import type { Cluster } from '../../cluster/types.js'
import type { Certificate } from '../model.js'
import { tlsSecret } from '../objects/tlsSecret.js'
import type { Fault } from './conditions.js'
import { isGranted } from './grants.js'

/** A certificate of a listener; `id` is its Secret. */
export interface ListenerCertificate {
  readonly id: string
  readonly value: Certificate
  readonly names: X509Certificate
}

/** The usable certificates of a listener, and the fault of the first unusable one. */
export function certificatesOf(
  cluster: Cluster,
  owner: ListenerOwner,
  { tls }: GatewayListener,
): { readonly certificates: readonly ListenerCertificate[]; readonly fault?: Fault | undefined } {
  const refs = tls?.certificateRefs ?? []
  if (refs.length === 0) return { certificates: [], fault: invalid('it has no certificateRefs') }
  const found = refs.map((ref) => certificateOf(cluster, owner, ref))
  return {
    certificates: found.flatMap(({ certificate }) => certificate ?? []),
    fault: found.find(({ fault }) => fault !== undefined)?.fault,
  }
}

function certificateOf(
  cluster: Cluster,
  { kind: by, metadata }: ListenerOwner,
  ref: SecretObjectReference,
): { readonly certificate?: ListenerCertificate; readonly fault?: Fault } {
  const own = metadata.namespace ?? 'default'
  const { group = '', kind = 'Secret', name, namespace = own } = ref
  if (group !== '' || kind !== 'Secret')
    return { fault: invalid(`a certificate must be in a Secret, not in a ${kind}`) }
  if (!isGranted(cluster, { kind: by, namespace: own }, { group, kind, namespace, name })) {
    const message = `no ReferenceGrant in namespace ${namespace} allows ${by}s of ${own} to use Secret ${name}`
    return { fault: { reason: 'RefNotPermitted', message } }
  }
  const { problem, ...found } = tlsSecret(cluster, namespace, name)
  if (problem !== undefined || !('names' in found)) return { fault: invalid(problem ?? '') }
  return { certificate: { id: `${namespace}/${name}`, value: found.certificate, names: found.names } }
}

function invalid(message: string): Fault {
  return { reason: 'InvalidCertificateRef', message }
}

/** The certificate that is valid for a host; if there is none, the first. */
export function certificateFor(
  certificates: readonly ListenerCertificate[],
  hostname: string,
): ListenerCertificate | undefined {
  const fits = ({ names }: ListenerCertificate) =>
    hostname.includes('*') ? namesOf(names).includes(hostname) : names.checkHost(hostname) !== undefined
  return certificates.find(fits) ?? certificates[0]
}

/** The host names in a certificate. */
export function namesOf({ subjectAltName = '', subject }: X509Certificate): string[] {
  const alternative = [...subjectAltName.matchAll(/(?:^|, )DNS:([^,]+)/g)].map(([, name = '']) => name)
  const common = /^CN=(.+)$/m.exec(subject)?.[1]
  return (alternative.length > 0 || common === undefined ? alternative : [common]).map((name) =>
    name.toLowerCase(),
  )
}
