import { createPrivateKey, X509Certificate } from 'node:crypto'
import t from 'tap'
import { expiry, fingerprint, makeCertificate } from '../../src/host/certificate.js'

const now = new Date('2026-01-02T03:04:05Z')
const subject = {
  hosts: ['class.example.com', '10.0.0.1', 'fd00::1'],
  days: 30,
  commonName: 'c',
  organization: 'o',
}

t.test('a certificate for names and addresses, signed by its own key', async (t) => {
  const made = makeCertificate(subject, now)
  const read = new X509Certificate(made.certificate)
  t.ok(read.checkPrivateKey(createPrivateKey(made.key)))
  t.ok(read.verify(read.publicKey))
  t.equal(read.subject, 'O=o\nCN=c')
  t.equal(read.issuer, read.subject)
  t.equal(read.checkHost('class.example.com'), 'class.example.com')
  t.equal(read.checkHost('other.example.com'), undefined)
  for (const address of ['10.0.0.1', 'fd00::1']) t.equal(read.checkIP(address), address)
  t.equal(read.checkIP('10.0.0.2'), undefined)
  t.equal(expiry(made), now.getTime() + 30 * 24 * 3600_000)
  t.equal(fingerprint(made), read.fingerprint256)
})
