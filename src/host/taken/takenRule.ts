import type { CataloguedRule } from '../../agents/kubeProxy/cataloguedRule.js'

/** A rule in a chain of one node, or an element in a set or map of nftables. */
export type KernelRule = Omit<CataloguedRule, 'node' | 'why' | 'object'>

/** A rule that is temporarily deleted from the kernel. */
export interface TakenRule {
  /** Restores it at its position; false if the chain then differs from before. */
  putBack(): Promise<boolean>
}
