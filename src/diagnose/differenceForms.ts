import type { FoundRules } from '../agents/kubeProxy/foundRules.js'
import type { ProxiedNode } from '../agents/agent.js'
import { rangeText, versionFinder } from '../agents/kubeProxy/iptables/forms.js'
import { versionsByForm } from '../agents/kubeProxy/versions/features.js'
import { knownVersions } from '../agents/kubeProxy/versions/known.js'
import { versionText } from '../agents/kubeProxy/versions/version.js'
import type { Difference } from '../netfilter/difference.js'
import type { IpFamily } from '../net/ipFamily.js'

/** What differences show of the version of kube-proxy that wrote the rules of a node. */
export interface DifferenceForms {
  /** Of one difference, as a sentence; undefined if no other version explains it. */
  readonly formOf: (difference: Difference) => string | undefined
  /** Of all rules, as a sentence; undefined if no other version fits better. */
  readonly version: string | undefined
}

/** Compares what was found with the forms of all versions. To be called when there are differences: it renders every form. */
export function differenceForms(
  differences: readonly Difference[],
  { mode, input }: ProxiedNode,
  found: FoundRules,
  family: IpFamily,
): DifferenceForms {
  const { config } = input
  const { from, to } = knownVersions[mode.name]
  const known = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const counts = versionsByForm(known, mode.name).map((versions) => {
    const other = { ...input, config: { ...config, version: versions[0] ?? config.version } }
    return { versions, count: mode.compare(other, family, found).length }
  })
  const least = Math.min(...counts.map(({ count }) => count))
  const closest = rangeText(counts.filter(({ count }) => count === least).flatMap(({ versions }) => versions))
  const forms = mode.forms?.(input, family, found)
  const find = forms === undefined ? () => undefined : versionFinder(forms)
  return {
    formOf: ({ table, chain, expected, actual }) => {
      if (forms === undefined) return undefined
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
        ? `Compared with kube-proxy ${versionText(config.version)}. The rules of kube-proxy ${closest} have ${least} differences: choose it with --kube-proxy-version.`
        : undefined,
  }
}
