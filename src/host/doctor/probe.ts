/** A test for a kernel feature, run in a sandbox. */
export interface Probe {
  readonly name: string
  readonly required: boolean
  readonly neededFor: string
  /** Constant shell script, never built from input; it fails if the feature is missing. */
  readonly script: string
  /** Kernel module with the feature, and the kernel option that builds it in. */
  readonly module?: string
  readonly option?: string
}

/** The result of a probe. */
export interface ProbeResult {
  readonly name: string
  readonly ok: boolean
  /** A tool that the probe uses is not installed, so the feature is not tested. */
  readonly toolMissing: boolean
  /** The last line of its output. */
  readonly said: string
}
