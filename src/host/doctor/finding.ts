/** One thing that vethlab uses, and whether this machine has it. */
export interface Finding {
  readonly group: 'node' | 'tools' | 'kernel' | 'iptables' | 'rootless'
  readonly name: string
  /** `unknown`: it could not be probed, because something before it is lacking. */
  readonly status: 'ok' | 'lacking' | 'unknown'
  /** No lab runs without it. */
  readonly required: boolean
  readonly neededFor: string
  /** A version, or what the machine said. */
  readonly detail?: string | undefined
  /** The command that mends a lack. */
  readonly remedy?: string | undefined
}

/** True for a finding that keeps every lab from running (exit code 3). */
export function isRequiredLack(finding: Finding): boolean {
  return finding.status === 'lacking' && finding.required
}
