import { addressFamily, addressText, canonicalAddress, isIPv4Mapped, parseRange } from '../../net/ranges.js'
import { fieldPath } from '../schema/decode.js'
import { withoutLeadingZeros } from '../validation/addresses.js'
import { dnsLabel } from '../validation/formats.js'
import type { Path } from '../validation/fieldErrors.js'

/** What the API server warns about in an object that it accepts: the text of a Warning header, and the field. */
export interface Warning {
  readonly path: Path
  readonly message: string
}

/** A warning that begins with the field. */
export function warning(path: Path, detail: string): Warning {
  return { path, message: `${fieldPath(path)}: ${detail}` }
}

/** The same for a key of a map, which Kubernetes writes in brackets. */
export function keyWarning(path: Path, key: string, detail: string): Warning {
  return { path: [...path, key], message: `${fieldPath(path)}[${key}]: ${detail}` }
}

/** A name that pods get which is not a DNS label. */
export function nameWarnings(name: string, use: string): Warning[] {
  const details = dnsLabel(name)
  if (details.length === 0) return []
  const detail = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${details.join(' ')}]`
  return [warning(['metadata', 'name'], detail)]
}

/** An address that is valid, in an unusual form (GetWarningsForIP); `path` is where it is. */
export function addressWarnings(path: Path, text: string): Warning[] {
  const plain = withoutLeadingZeros(text)
  const family = addressFamily(plain)
  if (family === undefined) return []
  if (plain !== text || isIPv4Mapped(text))
    return [
      warning(
        path,
        `non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(canonicalAddress(plain))}`,
      ),
    ]
  const canonical = canonicalAddress(text)
  return family === 'IPv4' || canonical === text
    ? []
    : [
        warning(
          path,
          `IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`,
        ),
      ]
}

/** A range that is valid, in an unusual form (GetWarningsForCIDR). */
export function rangeWarnings(path: Path, text: string): Warning[] {
  const range = parseRange(text.trim())
  if (range === undefined || range.family === 'IPv4') return []
  const canonical = `${addressText(range.family, range.first)}/${range.prefixLength}`
  return canonical === text
    ? []
    : [
        warning(
          path,
          `IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`,
        ),
      ]
}
