import type { IpFamily } from '../../../net/ipFamily.js'
import { ruleText, type SavedTable } from '../../../netfilter/save.js'
import type { ProxyInput } from '../input.js'
import { versionsByForm } from '../versions/features.js'
import { chosenVersions } from '../versions/known.js'
import { minorOf, versionText, type MinorVersion } from '../versions/version.js'
import { buildRuleset } from './ruleset.js'
import { toSaved } from './saved.js'

/** The rules that some versions of kube-proxy write for one node and family. */
export interface Form {
  /** Successive ones, the oldest first. */
  readonly versions: readonly MinorVersion[]
  readonly saved: readonly SavedTable[]
}

/** A rule as iptables-save prints it, or a whole chain. */
export interface InForm {
  readonly table: string
  readonly chain: string
  readonly rule?: string | undefined
}

/** The forms that rules of a node can have: one for each group of versions that writes the same. */
export function formsOf(input: ProxyInput, family: IpFamily): readonly Form[] {
  return versionsByForm(chosenVersions.map(minorOf), 'iptables').map((versions) => {
    const config = { ...input.config, version: versions[0] ?? input.config.version }
    return { versions, saved: toSaved(buildRuleset({ ...input, config }, family)) }
  })
}

/**
 * Finds the versions whose form has a rule or a chain, as text: `1.24`, `1.25 to 1.30`, `before 1.24`; undefined if no version
 * has it.
 */
export function versionFinder(forms: readonly Form[]): (sought: InForm) => string | undefined {
  const contents = forms.map(({ versions, saved }) => ({
    versions,
    has: new Set(
      saved.flatMap(({ table, chains, rules }) => [
        ...chains.map(({ name }) => `${table} ${name}`),
        ...rules.map((rule) => `${table} ${ruleText(rule)}`),
      ]),
    ),
  }))
  return ({ table, chain, rule }) => {
    // the chain of external traffic, until pull request 109060
    if (`${chain} ${rule ?? ''}`.includes('KUBE-XLB-')) return 'before 1.24'
    const found = contents.filter(({ has }) => has.has(`${table} ${rule ?? chain}`))
    return rangeText(found.flatMap(({ versions }) => versions))
  }
}

/** `1.25 to 1.28 and 1.31`, of versions in order; undefined of none. */
export function rangeText(versions: readonly MinorVersion[]): string | undefined {
  const ranges: { first: MinorVersion; last: MinorVersion }[] = []
  for (const version of versions) {
    const open = ranges.at(-1)
    if (open?.last === version - 1) open.last = version
    else ranges.push({ first: version, last: version })
  }
  const texts = ranges.map(({ first, last }) =>
    first === last ? versionText(first) : `${versionText(first)} to ${versionText(last)}`,
  )
  return texts.length === 0 ? undefined : texts.join(' and ')
}
