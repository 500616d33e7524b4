import { policyChain, type NamingRule } from '../../../../netfilter/policyComments.js'
import type { Language } from '../../../../text/language.js'
import type { ExplainedChain } from './types.js'

/** What a chain of a program that enforces NetworkPolicies is for, by the comments of its rules; empty for other chains. */
export function policyAbout(rules: readonly NamingRule[], language: Language): string {
  const { pod, policies } = policyChain(rules)
  const isKorean = language === 'ko'
  if (pod !== undefined) return isKorean ? `파드 ${pod}의 정책` : `the policies of pod ${pod}`
  if (policies.length !== 1) return ''
  return isKorean ? `정책 ${policies.join()}` : `policy ${policies.join()}`
}

/** The chains of one pod or one policy together; the others keep their places before them. */
export function groupedByPolicy(chains: readonly ExplainedChain[]): ExplainedChain[] {
  return chains.toSorted((a, b) => (a.about < b.about ? -1 : a.about > b.about ? 1 : 0))
}
