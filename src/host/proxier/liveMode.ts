import type { IpFamily } from '../../net/ipFamily.js'
import type { SavedTable } from '../../netfilter/save.js'
import type { KubeProxyConfiguration } from '../../agents/kubeProxy/config.js'
import type { FoundRules } from '../../agents/kubeProxy/foundRules.js'
import type { Iptables } from '../backend.js'
import type { Frontend } from '../kubeProxy/frontends.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { KernelRule, TakenRule } from '../taken/takenRule.js'
import type { NodePortals } from '../userspace/nodePortals.js'
import type { Proxier, ProxierOptions } from './proxier.js'

/** How a mode of kube-proxy is read and written in the kernel. `liveModeOf` returns it by name. */
export interface LiveMode {
  /** Undefined if every kernel that runs labs supports the mode. */
  readonly kernelNeeds: KernelNeeds | undefined
  /** How to check the rules of a kube-proxy binary; undefined in a mode that no binary has. */
  readonly evidence: ModeEvidence | undefined
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
  /** The output of the mode's own tools in a namespace. */
  print(sandbox: Sandbox, netns: string, families: readonly IpFamily[]): Promise<string>
  /** The state of a namespace, as `explain` of the mode compares it with what kube-proxy writes. */
  find(sandbox: Sandbox, netns: string, family: IpFamily): Promise<FoundRules>
  /** Deletes one rule or element, and nothing else; undefined if it does not exist. Throws CommandError. */
  takeRuleAway(
    sandbox: Sandbox,
    iptables: Iptables,
    netns: string,
    rule: KernelRule,
  ): Promise<TakenRule | undefined>
}

/** Requirements of a mode that many kernels do not meet. */
export interface KernelNeeds {
  readonly module: string
  /** Why a lab in this mode runs as the host's root. */
  readonly weakness: string
  /** Throws ModeNotHereError with the missing requirements. */
  require(sandbox: Sandbox, config: KubeProxyConfiguration): Promise<void>
}

/** Where the kernel shows the rules of a kube-proxy binary. */
export interface ModeEvidence {
  command(family: IpFamily, iptables: Iptables): readonly string[]
  /** Parses the output of that command; the returned function checks whether it has a frontend. */
  read(answer: string): (frontend: Frontend) => boolean
}
