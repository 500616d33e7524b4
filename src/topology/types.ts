import type { IpFamily } from '../cluster/types.js'

/** A file that a command reads, made inside the sandbox before the commands of its stage run. */
export interface SandboxFile {
  /** Absolute path inside the sandbox, under /run/vethlab. */
  readonly path: string
  readonly text: string
}

/** A command of a plan: an argument array, run in a namespace of the sandbox; text goes to its standard input. */
export interface PlannedCommand {
  readonly netns?: string | undefined
  readonly argv: readonly string[]
  readonly input?: string | undefined
}

/** Commands of one stage are independent of each other and run at once; stages run in order. */
export interface Stage {
  readonly title: string
  readonly files: readonly SandboxFile[]
  readonly commands: readonly PlannedCommand[]
}

/** Everything that brings a lab up, in order; printing it shows exactly what running it does. */
export interface Plan {
  readonly stages: readonly Stage[]
}

/** The address ranges of a cluster (kubeadm's and kind's defaults). */
export interface AddressRanges {
  readonly fabric: Readonly<Record<IpFamily, string>>
  readonly pods: Readonly<Record<IpFamily, string>>
  readonly services: Readonly<Record<IpFamily, string>>
  readonly loadBalancers: Readonly<Record<IpFamily, string>>
  readonly nodePorts: { readonly first: number; readonly last: number }
}
