import { isRecord, text } from '../manifests/loose.js'
import { quantityValue } from '../quantity.js'
import type { Path } from '../validation/fieldErrors.js'
import { keyWarning, type Warning } from './warning.js'

/** Amounts of bytes in the map `field` of `owner` that are no whole number. */
export function fractionWarnings(
  path: Path,
  owner: unknown,
  field: string,
  names: readonly string[] = ['memory', 'ephemeral-storage'],
): Warning[] {
  const amounts = isRecord(owner) ? owner[field] : undefined
  if (!isRecord(amounts)) return []
  return names.flatMap((name) => {
    const value = text(amounts[name])
    const detail = `fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`
    return Number.isInteger(quantityValue(value) ?? 0) ? [] : [keyWarning([...path, field], name, detail)]
  })
}
