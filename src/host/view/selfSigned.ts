import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { CannotRunError } from '../../errors.js'
import { asTool, requireTools } from '../environment.js'

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Makes a self-signed certificate for names and addresses, valid for 30 days. Throws CannotRunError without openssl. */
export async function selfSigned(hosts: readonly string[]): Promise<Certificate> {
  requireTools(['openssl'])
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const names = hosts.map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`)
    const argv = [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '30', '-subj', '/CN=vethlab'],
      ...['-addext', `subjectAltName=${names.join(',')}`],
    ]
    const { exitCode, stderr } = await execa('openssl', argv, { ...asTool(), stdin: 'ignore' })
    if (exitCode !== 0) throw new CannotRunError(`openssl made no certificate: ${stderr.trim()}`)
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** When a certificate expires, in milliseconds since the epoch. */
export function expiry(cert: string): number {
  return Date.parse(new X509Certificate(cert).validTo)
}

/** The SHA-256 fingerprint of a certificate, as browsers show it. */
export function fingerprint(cert: string): string {
  const { raw } = new X509Certificate(cert)
  const hex = createHash('sha256').update(raw).digest('hex').toUpperCase()
  return (hex.match(/../g) ?? []).join(':')
}

/** Addresses of this host that other hosts may reach, IPv4 first. */
export function hostAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const reachable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
  return reachable.toSorted((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address)
}
