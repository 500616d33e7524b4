import type { Certificate } from '../../ingress/model.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** Common name of ingress-nginx's default certificate. */
const commonName = 'Kubernetes Ingress Controller Fake Certificate'

/** The command that prints the certificate and its key. */
export const ownCertificateCommand: readonly string[] = [
  ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
  ...['-days', '365', '-subj', `/O=Acme Co/CN=${commonName}`, '-addext', 'subjectAltName=DNS:ingress.local'],
  ...['-keyout', '-', '-out', '-'],
]

/** A self-signed certificate, created for this lab only. Throws CommandError. */
export async function ownCertificate(sandbox: Pick<Sandbox, 'must'>): Promise<Certificate> {
  const { stdout } = await sandbox.must(
    'creating the default certificate of ingress controllers',
    ownCertificateCommand,
  )
  const block = (what: RegExp) => `${what.exec(stdout)?.[0] ?? ''}\n`
  return {
    key: block(/-----BEGIN PRIVATE KEY-----[^]*?-----END PRIVATE KEY-----/),
    certificate: block(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/),
  }
}
