import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { addressFamily, addressNumber } from '../../net/ranges.js'

/** A server certificate that clients trust as their only authority, and its key; both in PEM. */
export interface ServerCertificate {
  readonly certificate: string
  readonly key: string
}

const lifetimeMs = 365 * 24 * 3600 * 1000

/** Makes a self-signed certificate for the address of a server (RFC 5280, version 3, ECDSA with P-256). */
export function makeCertificate(address: string, now: Date): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('vethlab')))))
  // A clock that is a little behind must accept it.
  const validity = sequence(time(now.getTime() - 3600_000), time(now.getTime() + lifetimeMs))
  const alternativeName = sequence(der(0x87, addressBytes(address)))
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)])
  const body = sequence(
    ...[der(0xa0, integer(Buffer.from([2]))), integer(serial), ecdsaWithSha256, name, validity, name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAlternativeName, der(0x04, alternativeName)))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    certificate: pem('CERTIFICATE', certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function addressBytes(address: string): Buffer {
  const digits = addressFamily(address) === 'IPv4' ? 8 : 32
  return Buffer.from(addressNumber(address).toString(16).padStart(digits, '0'), 'hex')
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

const commonName = der(0x06, Buffer.from([0x55, 0x04, 0x03]))
const subjectAlternativeName = der(0x06, Buffer.from([0x55, 0x1d, 0x11]))
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])))

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
