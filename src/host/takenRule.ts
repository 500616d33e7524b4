import type { CataloguedRule } from '../proxy/cataloguedRule.js'

/** A rule in a chain of one node, or an element in a set or map of nftables. */
export type KernelRule = Omit<CataloguedRule, 'node' | 'why' | 'servicePort'>

/** A rule that is gone from the kernel for a while. */
export interface TakenRule {
  /** Puts it back where it was; false when its chain then is not as it was before. */
  putBack(): Promise<boolean>
}
