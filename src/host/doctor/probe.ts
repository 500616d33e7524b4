/** Something that a kernel may lack, tried out for real in a sandbox of its own. */
export interface Probe {
  readonly name: string
  readonly required: boolean
  readonly neededFor: string
  /** Shell text, fixed here and never made from input; it fails when the feature is lacking. */
  readonly script: string
  /** Kernel module that brings the feature, and the option of a kernel that has it built in. */
  readonly module?: string
  readonly option?: string
}

/** What came of a probe. */
export interface ProbeResult {
  readonly name: string
  readonly ok: boolean
  /** A tool that the probe uses is not installed: nothing is known of the kernel. */
  readonly toolMissing: boolean
  /** The last line that it printed. */
  readonly said: string
}
