import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Cluster } from '../../cluster/types.js'
import type { Certificate } from '../model.js'

/** A certificate from a Secret, or why there is none. */
export type FoundCertificate =
  | { readonly certificate: Certificate; readonly names: X509Certificate; readonly problem?: undefined }
  | { readonly problem: string }

/** The certificate and key of a Secret of type kubernetes.io/tls, seen to be readable and to belong together. */
export function tlsSecret(cluster: Cluster, namespace: string, name: string): FoundCertificate {
  const secret = (cluster.secrets ?? []).find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
  const said = `Secret ${namespace}/${name}`
  if (secret === undefined) return { problem: `${said} was not found` }
  const [certificate, key] = ['tls.crt', 'tls.key'].map((field) => decoded(secret.data?.[field]))
  if (certificate === undefined) return { problem: `${said} has no tls.crt` }
  if (key === undefined) return { problem: `${said} has no tls.key` }
  const names = readable(() => new X509Certificate(certificate))
  if (names === undefined) return { problem: `tls.crt of ${said} is not a certificate in PEM` }
  const own = readable(() => createPrivateKey(key))
  if (own === undefined) return { problem: `tls.key of ${said} is not a private key in PEM` }
  if (!names.checkPrivateKey(own)) return { problem: `tls.key of ${said} is not the key of its tls.crt` }
  return { certificate: { certificate, key }, names }
}

function decoded(base64: string | undefined): string | undefined {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString()
}

function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
