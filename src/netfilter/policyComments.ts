import type { Rule } from './rules/model.js'

/** What the comments of a chain say that it is for. */
export interface PolicyChain {
  /** A pod, as `namespace/name`. */
  readonly pod?: string | undefined
  /** Policies, as `namespace/name`; of the cluster, or if no comment has the namespace, without one. */
  readonly policies: readonly string[]
}

/** What of a rule can name a pod or policies. */
export interface NamingRule {
  readonly comments: readonly string[]
  /** The chain to which it jumps. */
  readonly jump?: string | undefined
}

/** The names in a rule of iptables. */
export function namesInRule({ matches, target }: Pick<Rule, 'matches' | 'target'>): NamingRule {
  return {
    comments: matches.flatMap((one) => (one.kind === 'comment' ? one.comment : [])),
    jump: target?.kind === 'jump' ? target.chain : undefined,
  }
}

/** The names in a rule of nftables, as nft lists it. */
export function namesInNftRule(spec: string): NamingRule {
  const [, comment] = / comment "([^"]*)"$/.exec(spec) ?? []
  const [, jump] = /(?:^| )jump (\S+)/.exec(spec) ?? []
  return { comments: comment === undefined ? [] : [comment], jump }
}

/** Comments that name a pod: kube-router from 2.6, and before. */
const ofPod = [/^(\S+\/\S+) reject$/, /POD name:(?<name>\S+) namespace: ?(?<namespace>\S+)/]

/**
 * Comments that name a policy: those of labs in nftables; kube-router from 2.6, and before; Calico from 3.22 (the first rule of a policy's
 * chain; names as Felix has them, `default/knp.default.web`, without a namespace for policies of the cluster); Azure NPM 1.4
 * (`INGRESS-POLICY-default/web-TO-…`).
 */
const ofPolicy = [
  /^(\S+) spec\.\S+$/,
  /^(\S+) (?:policy|(?:ingress|egress) (?:any|pods|cidr)(?: np)?)$/,
  /^run through nw policy (?<name>\S+)/,
  /policy name:? ?(?<name>\S+) namespace:? ?(?<namespace>\S+)/,
  /^Policy (?:(?<namespace>[^\s/]+)\/)?(?:knp\.default\.|kanp\.adminnetworkpolicy\.)?(?<name>\S+) (?:ingress|egress)$/,
  /(?:INGRESS|EGRESS)-POLICY-([^\s/]+\/\S+?)-(?:TO|FROM)-/,
]

/** The pod and the policies that a chain is for, by the comments of its rules; empty for other chains. */
export function policyChain(rules: readonly NamingRule[]): PolicyChain {
  const comments = rules.flatMap((rule) => rule.comments)
  const pod = comments.flatMap((text) => nameIn(text, ofPod) ?? []).at(0)
  const [namespace] = pod?.split('/') ?? []
  const policies = comments.flatMap((text) => nameIn(text, ofPolicy, namespace) ?? [])
  return { pod, policies: [...new Set(policies)] }
}

/**
 * The same for a chain and those to which it jumps: the drop is in the chain of the pod, the names may be in those of policies. Rules that
 * did not match, by their number from 1, name policies of other pods: Azure NPM has one chain for all.
 */
export function policiesAround(
  rulesOf: (chain: string) => readonly NamingRule[],
  name: string,
  notMatched: ReadonlySet<number> = new Set(),
): PolicyChain {
  const own = rulesOf(name).filter((_, index) => !notMatched.has(index + 1))
  const { pod, policies } = policyChain(own)
  const below = own.flatMap(({ jump }) => (jump === undefined ? [] : policyChain(rulesOf(jump)).policies))
  return { pod, policies: [...new Set([...policies, ...below])] }
}

function nameIn(text: string, patterns: readonly RegExp[], namespace?: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)
    if (found === null) continue
    const { name, namespace: own = namespace } = found.groups ?? {}
    if (name === undefined) return found[1]
    return own === undefined ? name : `${own}/${name}`
  }
  return undefined
}
