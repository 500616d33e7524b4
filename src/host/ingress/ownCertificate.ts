import type { Certificate } from '../../ingress/model.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** What ingress-nginx calls the certificate that it shows where there is no other. */
const commonName = 'Kubernetes Ingress Controller Fake Certificate'

/** The command that prints it, and its key. */
export const ownCertificateCommand: readonly string[] = [
  ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
  ...['-days', '365', '-subj', `/O=Acme Co/CN=${commonName}`, '-addext', 'subjectAltName=DNS:ingress.local'],
  ...['-keyout', '-', '-out', '-'],
]

/** A certificate that nobody vouches for, made for this lab alone. Throws CommandError. */
export async function ownCertificate(sandbox: Pick<Sandbox, 'must'>): Promise<Certificate> {
  const { stdout } = await sandbox.must(
    'making the own certificate of ingress controllers',
    ownCertificateCommand,
  )
  const block = (what: RegExp) => `${what.exec(stdout)?.[0] ?? ''}\n`
  return {
    key: block(/-----BEGIN PRIVATE KEY-----[^]*?-----END PRIVATE KEY-----/),
    certificate: block(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/),
  }
}
