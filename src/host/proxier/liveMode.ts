import type { IpFamily } from '../../net/ipFamily.js'
import type { SavedTable } from '../../netfilter/save.js'
import type { KubeProxyConfiguration } from '../../proxy/config.js'
import type { ProxyInput } from '../../proxy/input.js'
import type { ExplainedRuleset } from '../../proxy/iptables/explained/types.js'
import type { Iptables } from '../backend.js'
import type { Frontend } from '../kubeProxy/frontends.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { StandingRule, TakenRule } from '../takenRule.js'
import type { NodePortals } from '../userspace/nodePortals.js'
import type { Proxier, ProxierOptions } from './proxier.js'

/** What a mode of kube-proxy reads and writes in the kernel. `liveModeOf` finds it by its name. */
export interface LiveMode {
  /** Undefined where every kernel that runs labs has the mode. */
  readonly kernelNeeds: KernelNeeds | undefined
  /** How to see what a kube-proxy binary has written, or the Kubernetes release that removed the mode. */
  readonly evidence: ModeEvidence | { readonly removedIn: string }
  /** The process of a node's kube-proxy that the plan started; undefined in modes that need none. */
  nodeProcess(
    sandbox: Sandbox,
    node: { readonly name: string; readonly netns: string },
  ): NodePortals | undefined
  proxier(options: ProxierOptions): Proxier
  /** The rules of each namespace with their counters, as saved tables, a list for each of the families. */
  readRules(
    sandbox: Sandbox,
    iptables: Iptables,
    netnsNames: readonly string[],
    families: readonly IpFamily[],
  ): Promise<ReadonlyMap<string, readonly SavedTable[][]>>
  /** What the mode's own tools print in a namespace. */
  print(sandbox: Sandbox, netns: string, families: readonly IpFamily[]): Promise<string>
  /** Compares what a namespace has with what kube-proxy writes, and explains it. */
  explain(sandbox: Sandbox, netns: string, input: ProxyInput, family: IpFamily): Promise<ExplainedRuleset>
  /** Deletes one rule or element, and nothing else; undefined where there is none. Throws CommandError. */
  takeRuleAway(
    sandbox: Sandbox,
    iptables: Iptables,
    netns: string,
    rule: StandingRule,
  ): Promise<TakenRule | undefined>
}

/** What a mode needs that many kernels are without. */
export interface KernelNeeds {
  readonly module: string
  /** Why a lab in this mode runs as the host's root. */
  readonly weakness: string
  /** Throws ModeNotHereError with what is missing. */
  require(sandbox: Sandbox, config: KubeProxyConfiguration): Promise<void>
}

/** Where the kernel shows what a kube-proxy binary has written. */
export interface ModeEvidence {
  readonly tools: readonly string[]
  command(family: IpFamily, iptables: Iptables): readonly string[]
  /** Reads what that command prints; what is returned says whether a frontend is in it. */
  read(answer: string): (frontend: Frontend) => boolean
}
