import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Cluster, Secret } from '../../cluster/types.js'
import type { Certificate } from '../model.js'

/** A certificate from a Secret, or the problem. */
export type FoundCertificate =
  | { readonly certificate: Certificate; readonly names: X509Certificate; readonly problem?: undefined }
  | { readonly problem: string }

/** Finds a Secret, by its namespace and name, and reads it. */
export type SecretReader = typeof tlsSecret

/** The certificate and key of a Secret of type kubernetes.io/tls; checks that they are valid and belong together. */
export function tlsSecret(cluster: Cluster, namespace: string, name: string): FoundCertificate {
  const secret = secretOf(cluster, namespace, name)
  return secret === undefined
    ? { problem: `Secret ${namespace}/${name} was not found` }
    : read(secret, `Secret ${namespace}/${name}`)
}

/** The same with a cache per object: parsing a key takes half a millisecond, and most Secrets do not change. */
export function cachingSecretReader(): SecretReader {
  const known = new WeakMap<Secret, FoundCertificate>()
  return (cluster, namespace, name) => {
    const secret = secretOf(cluster, namespace, name)
    const found = (secret && known.get(secret)) ?? tlsSecret(cluster, namespace, name)
    if (secret !== undefined) known.set(secret, found)
    return found
  }
}

function secretOf({ secrets = [] }: Cluster, namespace: string, name: string): Secret | undefined {
  return secrets.find(
    ({ metadata }) => metadata.name === name && (metadata.namespace ?? 'default') === namespace,
  )
}

function read(secret: Secret, label: string): FoundCertificate {
  const [certificate, key] = ['tls.crt', 'tls.key'].map((field) => decoded(secret.data?.[field]))
  if (certificate === undefined) return { problem: `${label} has no tls.crt` }
  if (key === undefined) return { problem: `${label} has no tls.key` }
  const names = readable(() => new X509Certificate(certificate))
  if (names === undefined) return { problem: `tls.crt of ${label} is not a certificate in PEM` }
  const own = readable(() => createPrivateKey(key))
  if (own === undefined) return { problem: `tls.key of ${label} is not a private key in PEM` }
  if (!names.checkPrivateKey(own)) return { problem: `tls.key of ${label} is not the key of its tls.crt` }
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
