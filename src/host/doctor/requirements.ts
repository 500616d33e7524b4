import requirements from './requirements.json' with { type: 'json' }

/** A tool, or a file of one, with its Debian package. */
export interface ToolRequirement {
  readonly name: string
  readonly package: string
  readonly required: boolean
  readonly for: string
  /** Arguments that print its version. */
  readonly version?: readonly string[]
  /** Possible paths of the file, for a requirement that is not a command. */
  readonly files?: readonly string[]
}

/** The tools that labs use; the set-up script of the repository reads the same file. */
export const toolRequirements: readonly ToolRequirement[] = requirements.tools

/** The names of Debian packages in other distributions, where they differ; null where there is no such package. */
export const otherNames: Readonly<Record<string, Readonly<Record<string, string | null>>>> =
  requirements.otherNames

/** A feature of the kernel that only some labs need. */
export interface KernelRequirement {
  readonly name: string
  /** The modules with the feature, and the kernel option that builds it in. */
  readonly modules: readonly string[]
  readonly option: string
  /** Commands that succeed if the feature exists; arguments are separated by blanks. */
  readonly commands: readonly string[]
}

/** Those of kube-proxy's ipvs mode, in test order. */
export const ipvsRequirements: readonly KernelRequirement[] = requirements.ipvs

/** The same for labs with NetworkPolicies: rules of iptables with ipsets. */
export const policyRequirements: readonly KernelRequirement[] = requirements.networkPolicies

/** The same where policies are a table of nftables. */
export const nativePolicyRequirements: readonly KernelRequirement[] = requirements.nativePolicies

/** Supported release lines of Node: `[major, least minor]`; later majors than the last are supported too. */
export const nodeLines: readonly (readonly number[])[] = requirements.node
