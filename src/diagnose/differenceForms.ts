import { formsOf, rangeText, versionFinder } from '../agents/kubeProxy/iptables/forms.js'
import type { ProxyInput } from '../agents/kubeProxy/input.js'
import { versionText } from '../agents/kubeProxy/versions/version.js'
import { compareRulesets, type Difference } from '../netfilter/difference.js'
import type { SavedTable } from '../netfilter/save.js'
import type { IpFamily } from '../net/ipFamily.js'

/** What differences show of the version of kube-proxy that wrote saved rules. */
export interface DifferenceForms {
  /** Of one difference, as a sentence; undefined if no other version explains it. */
  readonly formOf: (difference: Difference) => string | undefined
  /** Of all rules, as a sentence; undefined if no other version fits better. */
  readonly version: string | undefined
}

/** Compares saved rules with the forms of all versions. To be called when there are differences: it renders every form. */
export function differenceForms(
  differences: readonly Difference[],
  saved: readonly SavedTable[],
  input: ProxyInput,
  family: IpFamily,
): DifferenceForms {
  const forms = formsOf(input, family)
  const find = versionFinder(forms)
  const { version } = input.config
  const found = forms.map((form) => ({ ...form, count: compareRulesets(form.saved, saved).length }))
  const least = Math.min(...found.map(({ count }) => count))
  const closest = rangeText(found.filter(({ count }) => count === least).flatMap(({ versions }) => versions))
  return {
    formOf: ({ table, chain, expected, actual }) => {
      const versions = actual === undefined ? undefined : find({ table, chain, rule: actual })
      if (versions !== undefined) return `as kube-proxy ${versions} writes it`
      if (expected !== undefined && actual === undefined) {
        const writers = find({ table, chain, rule: expected })
        return writers === find({ table, chain: 'KUBE-SERVICES' })
          ? undefined
          : `only kube-proxy ${writers ?? ''} writes it`
      }
      const ofChain = expected === undefined && actual === undefined ? find({ table, chain }) : undefined
      return ofChain === undefined || ofChain === find({ table, chain: 'KUBE-SERVICES' })
        ? undefined
        : `a chain of kube-proxy ${ofChain}`
    },
    version:
      least < differences.length && closest !== undefined
        ? `Compared with kube-proxy ${versionText(version)}. The rules of kube-proxy ${closest} have ${least} differences: choose it with --kube-proxy-version.`
        : undefined,
  }
}
