import { rulesOf, type NftListing } from '../../../../netfilter/nftList.js'
import { namesInNftRule } from '../../../../netfilter/policyComments.js'
import type { Language } from '../../../../text/language.js'
import { groupedByPolicy, policyAbout } from '../../iptables/explained/policyAbout.js'
import type { ExplainedChain } from '../../iptables/explained/types.js'
import { iptablesTexts } from '../../iptables/texts.js'

/** The chains of the table of policies, with the pod or the policy that each is for; those of one are together. */
export function explainPolicies({ blocks }: NftListing, language: Language): ExplainedChain[] {
  const why = iptablesTexts[language].foreign
  return groupedByPolicy(
    blocks.flatMap((block): ExplainedChain[] => {
      const specs = block.kind === 'chain' ? rulesOf(block) : []
      if (specs.length === 0) return []
      return [
        {
          ...{ table: block.kind, chain: block.name },
          about: policyAbout(specs.map(namesInNftRule), language),
          rules: specs.map((spec) => ({ state: 'foreign', spec, why })),
        },
      ]
    }),
  )
}
