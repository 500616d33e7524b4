/** One requirement of vethlab, and whether this host meets it. */
export interface Finding {
  readonly group: 'node' | 'tools' | 'kernel' | 'iptables' | 'rootless' | 'limits'
  readonly name: string
  /** `unknown`: not checked, because something that the check needs is missing. */
  readonly status: 'ok' | 'missing' | 'unknown'
  /** True if no lab runs without it. */
  readonly required: boolean
  readonly neededFor: string
  /** A version or an error message. */
  readonly detail?: string | undefined
  /** The command that fixes it. */
  readonly remedy?: string | undefined
}

/** True for a finding without which no lab can run (exit code 3). */
export function isRequiredLack(finding: Finding): boolean {
  return finding.status === 'missing' && finding.required
}
