import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Certificate } from '../ingress/model.js'
import { addressNumber } from '../net/ranges.js'

/** What a certificate is made for. */
export interface CertificateSubject {
  /** Names and addresses of the server. */
  readonly hosts: readonly string[]
  readonly days: number
  readonly commonName?: string
  readonly organization?: string
}

const dayMs = 24 * 3600_000

/**
 * Makes a self-signed certificate, which clients can trust as their only authority (RFC 5280, version 3, ECDSA with P-256).
 * It expires before 2050.
 */
export function makeCertificate(subject: CertificateSubject, now: Date): Certificate {
  const { hosts, days, commonName = 'vethlab', organization } = subject
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(
    ...(organization === undefined ? [] : [nameField(id.organization, organization)]),
    nameField(id.commonName, commonName),
  )
  // A clock that is a little behind must accept it.
  const validity = sequence(time(now.getTime() - 3600_000), time(now.getTime() + days * dayMs))
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)])
  const isTrue = der(0x01, Buffer.from([0xff]))
  const extensions = sequence(
    sequence(id.basicConstraints, isTrue, der(0x04, sequence(isTrue))),
    sequence(id.subjectAlternativeName, der(0x04, sequence(...hosts.map(alternativeName)))),
  )
  const body = sequence(
    ...[der(0xa0, integer(Buffer.from([2]))), integer(serial), ecdsaWithSha256, name, validity, name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** When a certificate expires, in milliseconds since the epoch. */
export function expiry({ certificate }: Certificate): number {
  return Date.parse(new X509Certificate(certificate).validTo)
}

/** The SHA-256 fingerprint of a certificate, as browsers show it. */
export function fingerprint({ certificate }: Certificate): string {
  const { raw } = new X509Certificate(certificate)
  const hex = createHash('sha256').update(raw).digest('hex').toUpperCase()
  return (hex.match(/../g) ?? []).join(':')
}

function alternativeName(host: string): Buffer {
  const version = isIP(host)
  if (version === 0) return der(0x82, Buffer.from(host))
  const digits = addressNumber(host)
    .toString(16)
    .padStart(version === 4 ? 8 : 32, '0')
  return der(0x87, Buffer.from(digits, 'hex'))
}

// DER: a tag, the length and the content.

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function integer(bytes: Buffer): Buffer {
  return der(0x02, bytes)
}

/** UTCTime, for years before 2050. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}

function nameField(field: Buffer, text: string): Buffer {
  return der(0x31, sequence(field, der(0x0c, Buffer.from(text))))
}

function objectId(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes))
}

const id = {
  commonName: objectId(0x55, 0x04, 0x03),
  organization: objectId(0x55, 0x04, 0x0a),
  subjectAlternativeName: objectId(0x55, 0x1d, 0x11),
  basicConstraints: objectId(0x55, 0x1d, 0x13),
}
const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
