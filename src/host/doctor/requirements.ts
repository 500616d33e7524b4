import requirements from './requirements.json' with { type: 'json' }

/** A tool or a file of one, with the Debian package that brings it. */
export interface ToolRequirement {
  readonly name: string
  readonly package: string
  readonly required: boolean
  readonly for: string
  /** Arguments that make it say its version. */
  readonly version?: readonly string[]
  /** Where the file may be, for what is not a command. */
  readonly files?: readonly string[]
}

/** The tools that labs use; the set-up script of the repository reads the same file. */
export const toolRequirements: readonly ToolRequirement[] = requirements.tools

/** Something that kube-proxy's ipvs mode asks of the kernel. */
export interface IpvsRequirement {
  readonly name: string
  /** The modules that bring it, and the option of a kernel that has it built in. */
  readonly modules: readonly string[]
  readonly option: string
  /** What works where it is there; words with a blank between. */
  readonly commands: readonly string[]
}

/** All of it, in the order in which it is tried. */
export const ipvsRequirements: readonly IpvsRequirement[] = requirements.ipvs

/** The lines of Node that are supported: `[major, least minor]`, the last one open upwards. */
export const nodeLines: readonly (readonly number[])[] = requirements.node
