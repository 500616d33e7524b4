import type { Problem } from '../../errors.js'
import { defaultRanges, type AddressRanges } from '../../net/addressRanges.js'
import { canonicalAddress, nthAddress, parseRange, rangeOf, rangesOverlap } from '../../net/ranges.js'
import { valueAt } from './explain.js'
import type { YamlFile } from './readYaml.js'

/** Fields of `topology` with a range, or two of different families with a comma, as flags of Kubernetes take them. */
const fields = {
  nodeCIDR: { range: 'fabric', longest: { IPv4: 24, IPv6: 112 } },
  // each node gets a /24 of it, or a /64
  podCIDR: { range: 'pods', longest: { IPv4: 22, IPv6: 62 } },
  serviceCIDR: { range: 'services', longest: { IPv4: 28, IPv6: 124 } },
} as const

const families = ['IPv4', 'IPv6'] as const

/** The ranges of a lab file, and problems with them; checks raw values. What a lab does not set is the default. */
export function labRanges(file: YamlFile): { ranges: AddressRanges; problems: Problem[] } {
  const problems: Problem[] = []
  let ranges = defaultRanges
  for (const [field, { range, longest }] of Object.entries(fields)) {
    const path = ['topology', field]
    const text = valueAt(file.value, path)
    if (typeof text !== 'string' || text === '') continue
    const report = (message: string, hint?: string) =>
      void problems.push({ message: `"${field}" in topology ${message}`, at: file.at(path), hint })
    const parts = text.split(',').map((part) => ({ part, parsed: parseRange(part) }))
    for (const { part, parsed } of parts) {
      if (parsed === undefined)
        report(
          `has no range of addresses: "${part}"`,
          `write one such as ${defaultRanges[range].IPv4}, or two families with a comma`,
        )
      else if (nthAddress(parsed, 0) !== canonicalAddress(part.replace(/\/.*/, '')))
        report(
          `does not begin with its first address: "${part}"`,
          `write ${nthAddress(parsed, 0)}/${parsed.prefixLength}`,
        )
      else if (parsed.prefixLength > longest[parsed.family])
        report(`is too small for a lab: "${part}"`, `at most /${longest[parsed.family]}`)
      else ranges = { ...ranges, [range]: { ...ranges[range], [parsed.family]: part } }
    }
    const known = parts.flatMap(({ parsed }) => parsed ?? [])
    if (new Set(known.map(({ family }) => family)).size < known.length) report('names a family twice')
  }
  return { ranges, problems: problems.length > 0 ? problems : overlaps(ranges, file) }
}

/** Two ranges of a cluster that share addresses: the second one is reported. */
function overlaps(ranges: AddressRanges, file: YamlFile): Problem[] {
  const all = Object.entries(fields).flatMap(([field, { range }]) =>
    families.map((family) => ({ field, text: ranges[range][family] })),
  )
  return all.flatMap(({ field, text }, index) => {
    const other = all.slice(0, index).find((one) => rangesOverlap(rangeOf(one.text), rangeOf(text)))
    const isSet = (one: string) => valueAt(file.value, ['topology', one]) !== undefined
    if (other === undefined) return []
    const at = file.at(['topology', isSet(field) ? field : other.field])
    return [{ message: `${field} ${text} and ${other.field} ${other.text} share addresses`, at }]
  })
}
